r"""The rate at which the excess $\ell_1$ norm of $\beta_\alpha$ vanishes: a law with its constant, and a power at depth 2."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Panel, Points, Slope
from ...claims.marks import RAMP, equal, family, log_axis, one_panel
from ...lab import Param, Simulation
from ...lab.simulations.diagonal_regression import make_problem
from ...problems import Problem, Split
from .simulations.entropy_path import solved

# Halving the scale changes the ratio by less than this once it has settled.
SETTLED = 0.01


def excesses(data: Split, alphas, depth: int):
    r"""The excess $\ell_1$ norm at each scale, and whether all solutions are certified."""
    from ...predictors import OptimalDuals

    effective, certified = solved(data, alphas, depth)
    return OptimalDuals.of(data).excess(effective), bool(certified.all())


def deep(key, problem: Problem[Split], *, depth, scale):
    r"""The excess over $\alpha^D$ at $\alpha$ and $\alpha/2$ with $\alpha^{D-2}$ = `scale`, beside its law."""
    from ...predictors import excess_l1_law

    data = problem.train
    alphas = scale ** (1 / (depth - 2)) * np.array([1.0, 0.5])
    excess, certified = excesses(data, alphas, depth)
    ratio = excess / alphas**depth
    return {"excess": ratio[1], "before": ratio[0], "law": excess_l1_law(data, depth), "certified": certified}


def shallow(key, problem: Problem[Split], *, decades, points):
    """The excess at depth 2 over as many of its own decades, and the rate that the duals predict.

    It falls by a decade when the scale falls by one over the rate; some decades above rounding error, 1e-15, it is still read.
    """
    from ...predictors import planted_rate

    data = problem.train
    rate = planted_rate(data)
    alphas = 10.0 ** (-np.linspace(1, decades, points) / max(rate, 0.1))
    excess, certified = excesses(data, alphas, 2)
    return {"alpha": alphas, "excess": excess, "rate": rate, "certified": certified}


PROBLEM = (
    Param("n", 24, 40, smoke=8, low=2, high=500, unit="samples", static=True),
    Param("d", 40, 100, smoke=12, low=4, high=5_000, unit="dimension", static=True),
    Param("sparsity", 3, 5, smoke=1, low=1, high=100, unit="nonzeros of the ground truth", static=True),
    Param("noise", 0.0, low=0.0, high=10.0, unit="standard deviation", static=True),
    Param("trials", 10, 20, smoke=1, low=1, high=1_000, unit="trials", static=True),
)
DEEP = Simulation(
    deep,
    make_problem=make_problem,
    params=[
        Param("depth", (4, 5, 6), (4, 5, 6, 8), smoke=(4,), low=3, high=20),
        Param("scale", 1e-4, low=1e-8, high=1.0, unit=r"$\alpha^{D-2}$"),
        *PROBLEM,
    ],
    returns=dict.fromkeys(("excess", "before", "law", "certified"), ""),
    host=True,
)
SHALLOW = Simulation(
    shallow,
    make_problem=make_problem,
    params=[
        Param("decades", 11.0, smoke=6.0, low=2.0, high=13.0, unit="powers of ten of the excess"),
        Param("points", 11, 21, smoke=5, low=4, high=1_000, unit="scales"),
        *PROBLEM,
    ],
    returns={"alpha": "m", "excess": "m", "rate": "", "certified": ""},
    host=True,
)


def judge_deep(data, depth, lost) -> Evidence:
    """The ratio of excess and law in the trials where it has settled, for each depth."""
    ratio = data.excess / data.law * 2.0 ** (-lost)
    settled = (abs(data.before / data.excess - 1) < SETTLED) & data.certified
    fraction, within = (part.mean("trial").min() for part in (settled, (abs(ratio - 1) <= 0.02).where(settled)))
    deviation = abs(ratio.where(settled).median("trial") - 1).max()
    late = r"the law is a limit: a trial with an off-support $|p_i|$ near 1 approaches it late"
    half = "half of the trials have settled to far better than 1%"
    return Evidence(
        sound=[at_least("smallest fraction of trials that have settled", fraction, 0.5, key="settled", why=late)],
        holds=[
            at_least(
                "smallest fraction of settled trials within 2% of the law",
                within,
                0.8,
                key="within",
                why=r"halving $\alpha$ changes the ratio by under 1%; corrections like a power of $\alpha$ are as small",
            ),
            at_most("largest deviation from 1 of a median ratio", deviation, 0.01, key="median", why=half),
        ],
    )


def draw_deep(data) -> Drawing:
    """Excess against law, one point per trial and depth."""
    marks = family("depth {}", data.law, data.excess, "depth", mark=Points, roles=RAMP)
    return one_panel(
        [*marks, equal(data.law.where(np.isfinite(data.law)))],
        log_axis(r"law: $\sum_{\mathrm{off}} |h_D(p_i)| (1 - |p_i|)$"),
        log_axis(r"$(\|\beta_\alpha\|_1 - \|\beta_{\ell_1}\|_1)/\alpha^D$"),
        r"The excess $\ell_1$ norm over $\alpha^D$ at a small scale against its law, one point for each trial.",
    )


def slopes(data):
    r"""The power of $\alpha$ between the two smallest scales."""
    excess, alpha = np.log(data.excess), np.log(data.alpha)
    return (excess.isel(m=-1) - excess.isel(m=-2)) / (alpha.isel(m=-1) - alpha.isel(m=-2))


def judge_shallow(data, factor) -> Evidence:
    """The fraction of trials whose power is the predicted one."""
    recovered = (data.rate > 1e-6) & data.certified
    close = (abs(slopes(data) / (factor * data.rate / 2) - 1) <= 0.05).where(recovered).mean()
    name = "fraction of trials with a rate and certified solutions"
    unique = r"no rate without a unique minimum-$\ell_1$-norm interpolant; at the smallest scales the dual is nearly singular"
    late = r"the slope is a limit; a second $|p_i|$ close to the largest delays it in some trials"
    return Evidence(
        sound=[at_least(name, recovered.mean(), 0.5, key="certified", why=unique)],
        holds=[at_least("fraction of trials within 5% of the predicted power", close, 0.8, key="power", why=late)],
    )


def draw_shallow(data) -> Drawing:
    """The excess of a few trials with their power laws, and slope against rate."""
    marks = []
    for trial in range(min(4, data.sizes["trial"])):
        one = data.isel(trial=trial)
        through = (float(one.alpha[-1]), float(one.excess[-1]))
        marks.append(Points(f"trial {trial + 1}", one.alpha.values, one.excess.values))
        marks.append(Slope(rf"$\alpha^{{{float(one.rate):.2f}}}$", one.alpha.values, through, float(one.rate)))
    right = [Points("trials", data.rate.values, slopes(data).values), equal(data.rate)]
    return Drawing(
        [
            Panel(marks, log_axis(r"$\alpha$"), log_axis(r"$\|\beta_\alpha\|_1 - \|\beta_{\ell_1}\|_1$"), title="A few trials"),
            Panel(right, Axis(r"$2(1 - \rho)$"), Axis(r"measured power of $\alpha$"), title="All trials"),
        ],
        caption=r"Noiseless sparse recovery at depth 2: the excess $\ell_1$ norm is a power law whose exponent follows from the "
        r"duals of minimum $\ell_1$.",
    )


derived = partial(Claim, kind="derived")

CLAIMS = (
    derived(
        id="woodworth2020/excess_l1_law",
        title="Depth hastens the rich limit: the exponent and its constant",
        says=r"For noiseless sparse data and $D \geq 4$, $\|\beta_\alpha\|_1 - \|\beta_{\ell_1}\|_1 = \alpha^D "
        r"\sum_{\mathrm{off}} |h_D(p_i)| (1 - |p_i|) (1 + o(1))$, $p = X^\top \nu$ at the center of the optimal duals "
        r"$\nu$ of minimum $\ell_1$: polynomially fast, the faster the deeper.",
        source="woodworth2020, theorem 3",
        simulation=DEEP,
        judge=judge_deep,
        draw=draw_deep,
        constants={"lost": 0},
        controls=[Control("twice the law", changes={"lost": 1}, breaks=("within", "median"))],
        seconds={"quick": 10, "paper": 60},
    ),
    derived(
        id="woodworth2020/depth_2_planted_rate",
        title="Depth 2 on noiseless sparse data: a power law",
        says=r"For noiseless sparse data $\|\beta_\alpha\|_1 - \|\beta_{\ell_1}\|_1$ falls like $\alpha^{2(1 - \rho)}$, $\rho$ "
        r"the minimum over optimal duals $\nu$ of the largest $|X^\top \nu|$ off the support: polynomially, although a bound "
        r"that holds for all data is logarithmic.",
        source="woodworth2020, theorem 2",
        simulation=SHALLOW,
        judge=judge_shallow,
        draw=draw_shallow,
        constants={"factor": 2},
        controls=[Control(r"half of the power: $\alpha^{1 - \rho}$", changes={"factor": 1}, breaks=("power",))],
        seconds={"quick": 5, "paper": 30},
    ),
)
