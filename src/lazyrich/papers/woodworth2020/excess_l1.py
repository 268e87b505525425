r"""How the l1 norm of a diagonal net's answer falls to its least as the scale does: excess against $\alpha$, deep and shallow."""

import numpy as np

from ...problems import Problem, Split
from ..params import Param
from ..simulation import Simulation
from .diagonal_regression import pose
from .entropy_path import solved


def excesses(data: Split, alphas, depth: int):
    """The excess l1 norm at each scale, and whether all answers are certified."""
    from ...predictors import OptimalDuals

    effective, certified = solved(data, alphas, depth)
    return OptimalDuals.of(data).excess(effective), bool(certified.all())


def deep(key, problem: Problem, *, depth, scale):
    r"""The excess over $\alpha^D$ at $\alpha$ and $\alpha/2$ with $\alpha^{D-2}$ = `scale`, beside its law."""
    from ...predictors import excess_l1_law

    data = problem.train
    assert isinstance(data, Split), "sparse recovery measures vectors"
    alphas = scale ** (1 / (depth - 2)) * np.array([1.0, 0.5])
    excess, certified = excesses(data, alphas, depth)
    ratio = excess / alphas**depth
    return {"excess": ratio[1], "before": ratio[0], "law": excess_l1_law(data, depth), "certified": certified}


def shallow(key, problem: Problem, *, decades, points):
    """The excess at depth 2 over as many of its own decades, and the rate that the duals promise.

    It falls by a decade when the scale falls by one over the rate; some decades before rounding, at 1e-15, it is still read.
    """
    from ...predictors import planted_rate

    data = problem.train
    assert isinstance(data, Split), "sparse recovery measures vectors"
    rate = planted_rate(data)
    alphas = 10.0 ** (-np.linspace(1, decades, points) / max(rate, 0.1))
    excess, certified = excesses(data, alphas, 2)
    return {"alpha": alphas, "excess": excess, "rate": rate, "certified": certified}


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
    returns=dict.fromkeys(("excess", "before", "law", "certified"), ""),
    host=True,
)
SHALLOW = Simulation(
    shallow,
    pose=pose,
    params=[
        Param("decades", 11.0, smoke=6.0, low=2.0, high=13.0, unit="powers of ten of the excess"),
        Param("points", 11, 21, smoke=5, low=4, high=1_000, unit="scales"),
        *PROBLEM,
    ],
    returns={"alpha": "m", "excess": "m", "rate": "", "certified": ""},
    host=True,
)
