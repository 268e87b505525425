r"""What predicts the delay: $\|\hat b-b^*\|_2$ better than $\|\hat b\|_\infty$, and $T^*\geq\|\hat b-b^*\|_2/\sqrt n$ always."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least
from ...claims.drawing import Drawing, Line, Panel, Points
from ...claims.marks import log_axis
from ...lab import Param, Simulation
from .shared.limits import SAME, slow_path
from .simulations.sparse_phases import make_problem


def simulate(key, problem):
    """The time $T^*$ at which the slow flow stops, and four norms that might predict it."""
    path, truth = slow_path(problem), np.asarray(problem.truth)
    first = path.positions[0]
    return {
        "rest": np.asarray(path.extinction),
        "recovery_error": np.linalg.norm(path.end - truth) / np.linalg.norm(truth),
        "largest": np.abs(first).max(),
        "distance": np.linalg.norm(first - truth),
        "norm_1": np.abs(truth).sum(),
        "norm_2": np.linalg.norm(truth),
    }


def correlation(data, name: str, good) -> float:
    """The correlation of logarithms with $T^*$."""
    rest, size = (np.log(data[part].values[good.values]) for part in ("rest", name))
    return float(np.corrcoef(rest, size)[0, 1])


def width(data, name: str, good) -> float:
    """The 0.9 quantile of the ratio to $T^*$ over the 0.1 quantile."""
    ratio = (data.rest / data[name]).values[good.values]
    return float(np.quantile(ratio, 0.9) / np.quantile(ratio, 0.1))


def recovered(data):
    """The trials whose ground truth the slow flow reaches."""
    return (data.recovery_error < SAME) & (data.rest > 0)


def judge(data, d, better) -> Evidence:
    """Correlations with $T^*$, and the one bound that is proved."""
    good, other = recovered(data), "largest" if better == "distance" else "distance"
    trials, few = r"trials whose ground truth has minimum $\ell_1$ norm", "a correlation needs a few trials"
    return Evidence(
        sound=[at_least(trials, good.sum(), 3, key="recoverable", why=few)],
        holds=[
            at_least(
                r"$T^*\sqrt{n}$ over $\|\hat b-b^*\|_2$, minimum",
                (data.rest * np.sqrt(d) / data.distance).where(good).min(),
                1,
                key="bound",
                why=r"the path is at least as long as the distance, the speed at most $\sqrt{n}$, the norm of a vector of signs",
            ),
            at_least(
                "correlation of logarithms with the better predictor minus that with the other",
                correlation(data, better, good) - correlation(data, other, good),
                0.1,
                key="correlation",
                why="the largest entry of least squares does not measure the distance; 40 trials give correlations to within 0.1",
            ),
            at_least(
                "spread of $T^*$ over the other predictor, relative to that over the better one",
                width(data, other, good) / width(data, better, good),
                1,
                key="spread",
                why="the ratio of the time to a better predictor has the smaller spread",
            ),
        ],
    )


def draw(data, d) -> Drawing:
    """The time against both predictors."""
    good, panels = recovered(data), []
    for name, label in (("largest", r"$\|\hat b\|_\infty$"), ("distance", r"$\|\hat b-b^*\|_2$")):
        x, y = (data[part].values[good.values] for part in (name, "rest"))
        ends = np.array([x.min(), x.max()])
        marks = [Points("trials", x, y), Line("proportional", ends, ends * np.median(y / x), role="theory")]
        bound = [Line("lower bound", ends, ends / np.sqrt(d), role="second")] if name == "distance" else []
        title = f"correlation {correlation(data, name, good):.2f}"
        panels.append(Panel([*marks, *bound], log_axis(label), log_axis(r"delay $T^*$ (rescaled time)"), title=title))
    return Drawing(
        panels,
        caption=r"The slow flow's time from memorization to recovery in many trials, in units of $1/\alpha\beta_1$, against the "
        "norm that the paper names and against the distance to the ground truth.",
    )


CLAIM = Claim(
    id="beyond_l2/delay_predictors",
    kind="derived",
    title="The distance predicts the delay, not the largest entry",
    says=r"The delay in units of $1/\alpha\beta_1$ is at least $\|\hat b-b^*\|_2/\sqrt n$; over trials it correlates with this "
    r"distance much better than with $\|\hat b\|_\infty$, which the paper names.",
    source="beyond_l2, theorem 2.1",
    simulation=Simulation(
        simulate,
        make_problem=make_problem,
        host=True,
        params=[
            Param("sampling_ratio", 0.5, 0.3, smoke=0.6, low=1e-3, high=1.0, unit="measurements over unknowns"),
            Param("d", 50, 100, smoke=20, low=20, high=5_000, unit="unknowns", static=True),
            Param("sparsity", 4, 5, smoke=1, low=1, high=20, unit="nonzero entries of the ground truth"),
            Param("trials", 40, 200, smoke=4, low=1, high=10_000, unit="trials", static=True),
        ],
        returns=dict.fromkeys(("rest", "recovery_error", "largest", "distance", "norm_1", "norm_2"), ""),
    ),
    judge=judge,
    draw=draw,
    constants={"better": "distance"},
    controls=[Control("the largest entry as the better predictor, as printed", {"better": "largest"}, ("correlation", "spread"))],
    seconds={"quick": 8, "paper": 60},
)
