r"""How the l1 norm of a diagonal net's answer falls to its least as the scale does: excess against $\alpha$, deep and shallow."""

import numpy as np

from ...problems import Problem, Split
from ..params import Param
from ..simulation import Simulation
from .diagonal_regression import pose
from .entropy_path import solved


def excesses(problem: Problem, alphas, depth: int):
    """The excess l1 norm at each scale, the duals it was read by, and whether all is certified."""
    from ...predictors import OptimalDuals

    data = problem.train
    assert isinstance(data, Split), "sparse recovery measures vectors"
    effective, certified = solved(data, alphas, depth)
    return OptimalDuals.of(data).excess(effective), data, 0 if certified.all() else 2


def deep(key, problem: Problem, *, depth, scale):
    r"""The excess over $\alpha^D$ at $\alpha$ and $\alpha/2$ with $\alpha^{D-2}$ = `scale`, beside its law."""
    from ...predictors import excess_l1_law

    alphas = scale ** (1 / (depth - 2)) * np.array([1.0, 0.5])
    excess, data, outcome = excesses(problem, alphas, depth)
    ratio = excess / alphas**depth
    return {"excess": ratio[1], "before": ratio[0], "law": excess_l1_law(data, depth), "outcome": outcome}


def shallow(key, problem: Problem, *, least, most, points):
    """The excess along the scales at depth 2, and the rate that the duals promise."""
    from ...predictors import planted_rate

    alphas = np.geomspace(most, least, points)
    excess, data, outcome = excesses(problem, alphas, 2)
    return {"alpha": alphas, "excess": excess, "rate": planted_rate(data), "outcome": outcome}


PROBLEM = (
    Param("n", 24, 40, smoke=8, low=2, high=500, unit="samples", static=True),
    Param("d", 40, 100, smoke=12, low=4, high=5_000, unit="unknowns", static=True),
    Param("sparsity", 3, 5, smoke=1, low=1, high=100, unit="entries of the truth", static=True),
    Param("noise", 0.0, low=0.0, high=10.0, unit="standard deviation", static=True),
    Param("trials", 10, 20, smoke=1, low=1, high=1_000, unit="draws", static=True),
)
DEEP = Simulation(
    deep,
    pose=pose,
    params=[
        Param("depth", (4, 5, 6), (4, 5, 6, 8), smoke=(4,), low=3, high=20),
        Param("scale", 1e-4, low=1e-8, high=1.0, unit="alpha^(D-2)"),
        *PROBLEM,
    ],
    returns=dict.fromkeys(("excess", "before", "law", "outcome"), ""),
    host=True,
)
SHALLOW = Simulation(
    shallow,
    pose=pose,
    params=[
        Param("least", 1e-10, 1e-12, smoke=1e-6, low=1e-100, high=1e-3, unit="smallest scale"),
        Param("most", 1e-4, smoke=1e-3, low=1e-10, high=1.0, unit="largest scale"),
        Param("points", 13, 25, smoke=5, low=4, high=1_000, unit="scales"),
        *PROBLEM,
    ],
    returns={"alpha": "m", "excess": "m", "rate": "", "outcome": ""},
    host=True,
)
