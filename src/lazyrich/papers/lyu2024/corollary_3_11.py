r"""Corollary 3.11: before the transition matrix completion fills what it has not seen with zeros."""

from ...lab.settings.symmetric_completion import SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points, Slope


def judge(data, divisor) -> Evidence:
    """Seen entries against the truth, unseen ones against zero and against the law of their size."""
    largest = abs(data.filled).max("m")
    missed = (abs(data.matrix - data.filled) * data.seen).max("m") / largest
    stray = data.matrix * (1 - data.seen)
    told = data.law / divisor
    off = (((stray - told) ** 2).sum("m") / (told**2).sum("m")) ** 0.5
    return Evidence(
        holds=[
            at_most(
                "seen entries against the truth, relative",
                missed.max(),
                1e-3,
                why="n decay / (2 kappa) times an entry, half of it on the diagonal: 14 x 1e-3 / 110",
            ),
            at_most(
                "largest entry never seen, relative",
                (abs(stray).max("m") / largest).max(),
                0.05,
                why="an entry of the zero-filled matrix's cube over 24 kappa^2, with kappa at least e^4",
            ),
            at_most(
                "entries never seen against their law, relative",
                off.max(),
                0.01,
                why="the next order of the square root's series, (|W| / 2 kappa)^2 with |W| about 3, and n decay / kappa from "
                "the residuals: a thousandth each; the flow's tolerance is another at the smallest entries",
            ),
        ],
    )


def draw(data, divisor) -> Drawing:
    """Entries never seen against the law, and the largest of them against kappa."""
    rest = 1 - data.seen
    x, y = (abs((part * rest).values.ravel()) for part in (data.law / divisor, data.matrix))
    shown = x > 1e-12
    ends = [float(x[shown].min()), float(x[shown].max())]
    largest = abs(data.matrix * rest).max("m")
    kappa = data.kappa.values.ravel()
    middle = largest.median("trial").values.ravel()
    first = int(kappa.reshape(middle.size, -1)[:, 0].argmin())
    through = (float(kappa.min()), float(middle[first]))
    return Drawing(
        panels=[
            Panel(
                [Points("each entry", x[shown], y[shown]), Line("the law", ends, ends, role="theory")],
                x=Axis("what the law says", scale="log"),
                y=Axis("entry never seen", scale="log"),
                title="Entries never seen",
            ),
            Panel(
                [
                    Points("each draw", kappa, largest.values.ravel()),
                    Slope("kappa^-2", [float(kappa.min()), float(kappa.max())], through, -2),
                ],
                x=Axis("kappa = alpha^(2c)", scale="log"),
                y=Axis("largest entry never seen", scale="log"),
                title="They vanish like 1/kappa^2",
            ),
        ],
        caption="At (1 - c) log(alpha)/decay seen entries are fitted and unseen ones are those of the zero-filled matrix's cube "
        "over 24 kappa^2: zero in the limit.",
    )


CLAIM = Claim(
    kind="corollary",
    title="Completion fills with zeros first",
    says="From U = V = alpha I, at (1 - c) log(alpha)/decay, U U^T - V V^T tends to the truth at entries that were seen or whose "
    "transposes were, and to zero elsewhere, where it is (W^3)/(24 kappa^2) to leading order, with W the zero-filled matrix "
    "and kappa = alpha^2 exp(-2 decay t).",
    source="lyu2024, corollary 3.11",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"divisor": 24.0},
    control=Control(
        "after the transition, at (1 + c) log(alpha)/decay",
        changes={"share": "=1+away", "log_alpha": (4.0,)},
        breaks=("largest entry never seen, relative",),
    ),
    seconds={"quick": 20, "paper": 120},
)
