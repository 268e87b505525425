r"""Theorem C.10: least squares cannot recover what lies outside the rows: $\|\hat b-b^*\|^2\ge\|Pb^*\|^2$, a share $1-N/n$ of it."""

from ...lab.settings.least_squares import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Points


def judge(data, n, d, decay, noise, kept) -> Evidence:
    """The bound on every draw of the noise, equality without noise and decay, and the share that Gaussian rows leave out."""
    few = data.where(n < d, drop=True)
    plain = few.sel(decay=0.0, noise=0.0)
    share = (plain.least / plain.size).mean("trial")
    spoiled = few.where((few.decay > 0) | (few.noise > 0))
    return Evidence(
        holds=[
            at_least(
                "squared error over what lies outside the rows, the least of all draws",
                (few.least / few.outside).min(),
                1 - 1e-9,
                why="the part outside the rows is missed whole, and parts at right angles add; rounding",
            ),
            at_most(
                "squared error over what lies outside the rows, less one, without noise and decay",
                abs(plain.recovery / plain.outside - 1).max(),
                1e-9,
                why="the part inside is recovered exactly; rounding times the condition of the rows",
            ),
            at_least(
                "the same with noise or decay, the least",
                (spoiled.recovery / spoiled.outside).min() - 1,
                1e-6,
                why="equality only without both: decay of 0.1 shrinks the part inside, and noise enters it",
            ),
            near(
                "squared relative error, less the share of directions without rows, the farthest",
                _farthest(share - (1 - kept * plain.n / d)),
                0,
                0.1,
                why="a Gaussian row space has no preferred direction: 1 - N/n on average; of 30 draws with four entries the "
                "mean has a deviation of about 0.025, and 0.1 is four of them",
            ),
        ],
    )


def _farthest(a):
    return a.isel(n=int(abs(a).argmax("n")))


def draw(data, d) -> Drawing:
    """The squared error against the number of measurements, beside what rows leave out."""
    one = data.sel(decay=0.0, noise=0.0)
    share = one.recovery / one.size
    x = one.n.values / d
    return Drawing(
        [
            Panel(
                [
                    Points("mean over draws", x, share.mean("trial").values, error=share.std("trial").values),
                    Line("1 - N/n", [0, 1, max(1.0, float(x.max()))], [1, 0, 0], role="theory"),
                ],
                x=Axis("measurements over unknowns", low=0.0),
                y=Axis("squared relative error of least squares", low=0.0),
            )
        ],
        columns=1,
        caption="Without noise and decay. Bars are deviations over draws: least squares misses the share of the truth that no "
        "measurement sees.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Least squares misses what no measurement sees",
    says="For N < n the squared error of the ridge answer is at least |P b*|^2, P onto the kernel of the measurements, with equality "
    "without noise and decay; for Gaussian measurements that is 1 - N/n of |b*|^2 on average.",
    source="beyond_l2, theorem C.10",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"kept": 1.0},
    aliases=("theorem_d_10",),
    control=Control(
        "1 - N/(2n): half of the directions that rows span",
        changes={"kept": 0.5},
        breaks=("squared relative error, less the share of directions without rows, the farthest",),
    ),
    seconds={"quick": 10, "paper": 60},
)
