r"""Erratum: the remark after theorem C.10 prints 1 where the share of $b^*$ outside the rows stands."""

from ...lab.settings.least_squares import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points


def told(data, noise, first):
    r"""$\|Pb^*\|^2/\|b^*\|^2$, or 1 in its place, plus the noise over the eigenvalues.

    The second is the mean of $\xi^\top U\Sigma^{-1}U^\top\xi/\|b^*\|^2$.
    """
    share = data.outside / data.size if first == "outside" else 1.0 + 0 * data.outside
    return share + noise**2 * (1 / data.eigenvalues.where(data.eigenvalues > 0)).sum("d") / data.size


def judge(data, n, d, noise, repeats, first) -> Evidence:
    """The squared relative error of least squares beside the law: exactly without noise, in standard errors with it."""
    few = data.where(n < d, drop=True).sel(decay=0.0)
    apart = few.recovery / few.size - told(few, noise, first)
    squares = (1 / few.eigenvalues.where(few.eigenvalues > 0) ** 2).sum("d")
    error = noise**2 * (2 * squares / repeats) ** 0.5 / few.size
    scores = (apart / error).where(noise > 0, drop=True)
    return Evidence(
        sound=[
            at_least(
                "numbers of measurements below that of unknowns",
                few.sizes["n"],
                1,
                why="the remark is about those",
            )
        ],
        holds=[
            at_most(
                "squared relative error less the law, without noise, the farthest",
                abs(apart.sel(noise=0.0)).max(),
                1e-9,
                why="nothing is random: rounding times the condition of the rows",
            ),
            at_most(
                "mean square of (squared relative error - law) in standard errors, with noise",
                (scores**2).mean(),
                1.8,
                why="one for a true law; a mean of 60 squares of nearly normal numbers has a deviation of 0.2",
            ),
        ],
    )


def draw(data, noise) -> Drawing:
    """Errors of all draws at the noise against both forms."""
    few = data.sel(decay=0.0).isel(noise=-1)
    few = few.where(few.n < few.sizes["d"], drop=True)
    level = noise.isel(noise=-1)
    seen = (few.recovery / few.size).transpose("n", "trial").values.ravel()
    forms = {name: told(few, level, name).transpose("n", "trial").values.ravel() for name in ("outside", "one")}
    ends = [float(seen.min()), float(seen.max())]
    return Drawing(
        [
            Panel(
                [
                    Points("corrected", forms["outside"], seen),
                    Points("as printed", forms["one"], seen, role="control"),
                    Line("equal", ends, ends, role="theory"),
                ],
                x=Axis("what the law says", scale="log"),
                y=Axis("squared relative error", scale="log"),
            )
        ],
        columns=1,
        caption=f"Least squares from fewer measurements than unknowns, noise {float(level):g}, every draw: of the truth only the "
        "share outside the rows is missed, not all of it.",
    )


CLAIM = Claim(
    kind="erratum",
    title="Least squares misses a share of the truth, not all",
    says="For N < n and no decay the squared relative error of least squares is the share of b* outside the rows, 1 - N/n on "
    "average for Gaussian rows, plus the noise over the eigenvalues; printed is that it is at least 1 plus that.",
    source="beyond_l2, theorem C.10 (the remark after it)",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"first": "outside"},
    control=Control(
        "1 in place of the share outside the rows, as printed",
        changes={"first": "one"},
        breaks=(
            "squared relative error less the law, without noise, the farthest",
            "mean square of (squared relative error - law) in standard errors, with noise",
        ),
    ),
    seconds={"quick": 10, "paper": 60},
)
