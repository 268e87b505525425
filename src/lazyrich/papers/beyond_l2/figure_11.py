r"""Figure 11: entries off the support go to zero one after another, each when the slow flow predicts."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Panel, Points
from ...claims.marks import equal, log_axis
from ...lab.simulations.l1_descent import counts
from .shared.limits import SAME, slow_path
from .shared.phases import LATE, curve
from .simulations.sparse_phases import WALK

BAND = 30  # strengths: ten times the penalty's bias, so entries beyond it are nonzero in the slow flow too


def predict(problem, learning_rate, strength, steps, moments):
    """When each entry is last nonzero in the slow flow, at the steps saved of descent, and its recovery error."""
    path, truth = slow_path(problem), np.asarray(problem.truth)
    times = learning_rate * strength * np.asarray(counts(steps, moments))
    away = abs(path.at(times)) > BAND * strength
    return {
        "dies": np.where(away, times[:, None], 0.0).max(0),
        "extinction": path.extinction,
        "recovery_error": np.linalg.norm(path.end - truth) / np.linalg.norm(truth),
        "first": np.abs(path.positions[0]),
    }


def dying(data, learning_rate, strength):
    """The rescaled time at which an entry is last nonzero; zero if it never is."""
    return learning_rate * strength * data.step.where(abs(data.w) > BAND * strength).max("t").fillna(0.0)


def judge(data, theory, learning_rate, strength, reach, order) -> Evidence:
    """Times at which entries off the support vanish, compared to the slow flow's; and entries on the support, which do not."""
    good = (theory["recovery_error"] < SAME) & (theory["extinction"] < LATE * reach)
    seen = dying(data, learning_rate, strength).where((data.truth == 0) & good)
    predicted = theory["dies" if order == "flow" else "first"]
    kept = np.flatnonzero(good.values)
    large = (abs(data.truth) > 0.1) & good
    name, why = "fraction of trials recovered in time", "in the other trials entries off the support stay nonzero"
    return Evidence(
        sound=[at_least(name, good.mean(), 0.3, key="testable", why=why)],
        holds=[
            at_most(
                "time at which an entry vanishes minus the slow flow's, over the slow flow's last, median over entries",
                (abs(seen - predicted) / theory["extinction"]).median(),
                0.02,
                key="vanishing_time",
                why="the bias moves entries by a few strengths, a tenth of the band, which they cross in a tenth of the time",
            ),
            at_least(
                "correlation of these times with the slow flow's, median over trials",
                np.median([_correlation(seen.isel(trial=at), predicted.isel(trial=at)) for at in kept] or [0.0]),
                0.9,
                key="correlation",
                why="the same entries vanish early and late; a few near the edge of the band may differ",
            ),
            at_least(
                "final entry on the support over that of the ground truth, minimum",
                (data.w.isel(t=-1) / data.truth).where(large).min(),
                0.9,
                key="support_stays",
                why="entries above 0.1 stay, up to the penalty's bias of a few strengths",
            ),
        ],
    )


def _correlation(seen, predicted) -> float:
    """The correlation over the entries off the support."""
    kept = np.isfinite(seen.values)
    return float(np.corrcoef(seen.values[kept], predicted.values[kept])[0, 1])


def draw(data, theory, learning_rate, strength) -> Drawing:
    """All entries of one trial against rescaled time, and when those off the support vanish beside the slow flow's times."""
    one = data.isel(trial=0)
    x, off = learning_rate * strength * one.step.values, (one.truth == 0).values
    lines = []
    for k in np.argsort(-abs(one.truth.values)):
        name, role = ("off the support", "measured") if off[k] else ("on the support", "second")
        lines.append(curve(name, x, one.w[:, k], role=role, above=1e-3))
    predicted, seen = theory["dies"].isel(trial=0).values[off], dying(one, learning_rate, strength).values[off]
    points = [Points("entries off the support", predicted, seen), equal(0.0, predicted.max())]
    time, title = log_axis(r"rescaled time $\alpha\beta_1t$"), "Entries of one trial; blue: off the support"
    across, along = Axis("last nonzero in the slow flow"), Axis("last nonzero in descent")
    return Drawing(
        [
            Panel(lines, time, Axis("entry"), title=title, legend=False),
            Panel(points, across, along, title="Rescaled times off the support"),
        ],
        caption=r"Subgradient descent with a small $\ell_1$ penalty. Left: after memorization every entry is piecewise linear in "
        "time; those off the support go to zero one after another. Right: at the times that the slow flow predicts.",
    )


CLAIM = Claim(
    id="beyond_l2/figure_11",
    kind="figure",
    title="Entries off the support vanish one after another",
    says="After memorization the entries off the support shrink to zero one after another, at the times of the slow flow; those "
    "on the support converge to the ground truth.",
    source="beyond_l2, figure 11",
    simulation=WALK,
    predict=predict,
    judge=judge,
    draw=draw,
    constants={"order": "flow"},
    controls=[Control("entries shrink from least squares at unit speed", {"order": "size"}, ("vanishing_time", "correlation"))],
    seconds={"quick": 8, "paper": 120},
)
