r"""Sparse recovery by diagonal nets: the minimum-$Q_\alpha$ interpolants along one sweep of $\alpha$, no training."""

import diffrax as dfx
import equinox as eqx
import numpy as np

from ....dynamics import GradientFlow
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.diagonal_regression import begin, interpolate, make_problem
from ....problems import Problem, Split

# Scales at which gradient flow itself is run. There its reduction is not stiff, and residuals end at 1e-6, thirty times the
# tolerance and more.
FLOWS = (0.1, 0.3, 1.0)
FLOW, RELATIVE_LOSS = GradientFlow(solver=dfx.Tsit5(), rtol=1e-8, atol=1e-11, max_steps=1_000_000), 1e-12


def solved(data: Split, alphas, depth: int = 2):
    """The interpolants at these scales, one a row, and whether each is certified."""
    from ....predictors import MinHyperbolicEntropy

    predicted = MinHyperbolicEntropy(1.0, depth=depth).path(data, alphas)
    return np.stack([one.effective for one in predicted]), np.array([one.ok for one in predicted])


def error(problem: Problem[Split], effective) -> np.ndarray | float:
    r"""$\|\beta - \beta^*\|_2^2$ along the last axis: the population error less the noise."""
    return ((np.asarray(effective) - np.asarray(problem.truth)) ** 2).sum(-1)


def bend(x: np.ndarray, least: np.ndarray) -> float:
    r"""$\|P\beta^3\|^2/576$, $P$ onto the kernel of $X$: $\alpha^8$ times the squared distance to minimum $\ell_2$ far out.

    Stationarity reads $\beta - \beta^3/24\alpha^4 + \ldots = 2\alpha^2X^\top\nu$, so $\beta$ leaves the row space by
    $P\beta_{\ell_2}^3/24\alpha^4$.
    """
    cube = least**3
    return float(np.sum((cube - x.T @ np.linalg.lstsq(x.T, cube, rcond=None)[0]) ** 2) / 576)


def follow(key, problem: Problem[Split], *, least, most, points):
    """Excess norms and errors along the sweep, and the two limits."""
    from ....predictors import MinL1, MinL2, OptimalDuals

    data, alphas = problem.train, np.geomspace(most, least, points)
    effective, certified = solved(data, alphas)
    l1, l2 = MinL1().solve(data), MinL2().solve(data)
    return {
        "alpha": alphas,
        "error": error(problem, effective),
        "excess_l1": OptimalDuals.of(data).excess(effective),
        "apart_l2": ((effective - l2.effective) ** 2).sum(-1),
        "bend": bend(np.asarray(data.x), l2.effective),
        "error_l1": error(problem, l1.effective),
        "error_l2": error(problem, l2.effective),
        "norm_l1": l1.value,
        "norm_l2": np.linalg.norm(l2.effective),
        "outcome": 0 if certified.all() and l1.ok and l2.ok else 2,
    }


@eqx.filter_jit
def flow_end(problem: Problem[Split], alpha):
    """The gradient flow solution, through its exact reduction, and the outcome's code."""
    path = interpolate(problem, begin(problem.truth.size, alpha=alpha), until=1e9, relative_loss=RELATIVE_LOSS, flow=FLOW)
    return path.reads["effective"][-1], path.outcome.code


def follow_and_check(key, problem: Problem[Split], *, least, most, points):
    """The sweep, and at a few scales the gradient flow solution with the predictions there and at a third of them."""
    found = follow(key, problem, least=least, most=most, points=points)
    flows = [flow_end(problem, np.asarray(alpha)) for alpha in FLOWS]
    scales = np.array(FLOWS)
    data = problem.train
    predicted, certified = solved(data, np.concatenate([scales, scales / 3]))
    outcome = max(found["outcome"], *(int(code) for _, code in flows), 0 if certified.all() else 2)
    ends = np.stack([np.asarray(end) for end, _ in flows])
    return found | {
        "flow_alpha": scales,
        "flow_error": error(problem, ends),
        "from_same": np.linalg.norm(ends - predicted[: len(FLOWS)], axis=-1),
        "from_third": np.linalg.norm(ends - predicted[len(FLOWS) :], axis=-1),
        "outcome": outcome,
    }


RETURNS = {
    **dict.fromkeys(("alpha", "error", "excess_l1", "apart_l2"), "m"),
    **dict.fromkeys(("bend", "error_l1", "error_l2", "norm_l1", "norm_l2", "outcome"), ""),
}
PROBLEM = (
    Param("n", 30, 100, smoke=6, low=1, high=2_000, unit="samples", static=True),
    Param("d", 100, 1000, smoke=20, low=2, high=20_000, unit="dimension", static=True),
    Param("sparsity", 3, 5, smoke=1, low=1, high=1_000, unit="nonzeros of the ground truth", static=True),
    Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
)
PARAMS = (
    *PROBLEM,
    Param("least", 1e-8, 1e-30, smoke=1e-4, low=1e-250, high=1e-2, unit="smallest scale"),
    Param("most", 1e3, 1e4, smoke=1e2, low=10.0, high=1e6, unit="largest scale"),
    Param("points", 56, 120, smoke=13, low=4, high=2_000, unit="scales"),
)
SIMULATION = Simulation(follow, make_problem=make_problem, params=PARAMS, returns=RETURNS, host=True)
CHECKED = Simulation(
    follow_and_check,
    make_problem=make_problem,
    params=PARAMS,
    returns={**RETURNS, **dict.fromkeys(("flow_alpha", "flow_error", "from_same", "from_third"), "w")},
    host=True,
)
