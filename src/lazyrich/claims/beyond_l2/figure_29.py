"""Figure 29: errors when data are fitted and when training ends, over the number and the coherence of measurements."""

from ...lab.settings.few_rows import COHERENT
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel
from .coherent import at_fit, middle, slow_times
from .limits import SAME


def refer(problem, n, coherence, level):
    """The slow flow of the same measurements."""
    return slow_times(problem, n, coherence, level)


def judge(data, told, reach, level) -> Evidence:
    """At the fit least squares' error, at the end the truth where the least l1 norm is it, and failures that grow."""
    first = at_fit(data, "recovery", level)
    missed = told["missed"] > SAME
    end = data.recovery.isel(t=-1)
    failed = missed.mean("trial").sortby("coherence")
    return Evidence(
        holds=[
            at_most(
                "recovery error at the fit over least squares', less one, the median draw",
                abs(first / told["least_squares"] - 1).median(),
                0.1,
                why="a fit to a twentieth is as near to the least-squares answer, up to the condition of the rows",
            ),
            at_least(
                "share of draws that end at the truth where it has the least l1 norm, and elsewhere where it has not",
                ((end <= level) == ~missed).where(missed | (told["finds"] < 0.8 * reach)).mean(),
                0.9,
                why="the slow flow ends at the least l1 norm; where it is slower than the horizon nothing is judged, and "
                "some draws in a hundred have a bias above the level",
            ),
            at_least(
                "share of draws that cannot be found at the largest coherence less that at the least, with the fewest rows",
                float((failed.isel(coherence=-1) - failed.isel(coherence=0)).sortby("n").isel(n=0)),
                0.3,
                why="the paper: errors rise with the coherence; at 0.6 of 30 rows 12 Gaussian rows are left for about four "
                "entries of 82, which need 15",
            ),
        ]
    )


def draw(data, told, n, coherence, rate, strength, reach, level) -> Drawing:
    """Medians of errors and of times against the number of measurements, a line for each coherence."""
    steps = reach / (rate * strength)
    parts = (
        ("Recovery at the fit", at_fit(data, "recovery", level).median("trial"), "relative error"),
        ("Recovery at the end", data.recovery.isel(t=-1).median("trial"), "relative error"),
        ("Time of the fit", middle(data.fits, steps), "steps"),
        ("Time of recovery", middle(data.finds, steps), "steps"),
    )
    chosen = coherence.values[:: max(1, coherence.size // 3)][:3]
    return Drawing(
        [
            Panel(
                [
                    Line(f"coherence {float(share):g}", n.values, part.sel(coherence=share).values, role=role)
                    for role, share in zip(SERIES, chosen, strict=False)
                ],
                x=Axis("measurements"),
                y=Axis(label, scale="log"),
                title=title,
                legend=title == "Recovery at the end",
            )
            for title, part, label in parts
        ],
        caption="Medians over draws. Runs stop when the truth is found to half of the level; what never happened is shown at the "
        "horizon.",
    )


CLAIM = Claim(
    kind="figure",
    title="Coherence: what is found at all",
    says="When the data are fitted the error of recovery is that of least squares; at the end the truth is found where it has "
    "the least l1 norm, and the share of draws where it has not grows with the coherence.",
    source="beyond_l2, figure 29",
    simulation=COHERENT,
    refer=refer,
    judge=judge,
    draw=draw,
    least={"coherence": 2},
    control=Control(
        "one plain row at most",
        changes={"coherence": (0.0, 0.01, 0.03)},
        breaks=(
            "share of draws that cannot be found at the largest coherence less that at the least, with the fewest rows",
        ),
    ),
    seconds={"quick": 20, "paper": 200},
)
