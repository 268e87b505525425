r"""Figure 12: curves of every rate and strength: one fit for each rate, one recovery in rate x strength x steps."""

from ...lab.settings.sparse_phases import SCALED
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel
from .memorization import stable
from .phases import refer
from .scaling import enough, last_error, power, settled


def judge(data, told, rate, strength, level, reach, clock) -> Evidence:
    """How far times of recovery and of the fit are apart on their clocks, and which way the last error goes."""
    good = settled(told, strength=strength, level=level, reach=reach)
    slow = (rate * strength**clock * data.finds).where(good)
    fast = (rate * data.fits).where(good)
    errors = last_error(data).where(good)
    return Evidence(
        sound=[stable(data, rate), enough(good)],
        holds=[
            at_most(
                "largest over smallest of rate x strength x steps until the truth is found, less one, the farthest draw",
                (slow.max(("rate", "strength")) / slow.min(("rate", "strength"))).max() - 1,
                0.05,
                why="one slow flow for all, up to the bias over the level: a tenth at most, half of that in time",
            ),
            at_most(
                "largest over smallest of rate x steps until the data are fitted, less one, the median draw",
                (fast.max(("rate", "strength")) / fast.min(("rate", "strength"))).median() - 1,
                0.25,
                why="the flow of the loss alone, whatever the strength; steps of 0.4 of it with curvatures up to 3 run ahead",
            ),
            at_least(
                "power of the strength in the last error, the least",
                power(errors, "strength").min(),
                0.9,
                why="a larger strength leaves a larger bias: linear",
            ),
            at_least(
                "power of the rate in the last error, the least",
                power(errors, "rate").min(),
                0.0,
                why="a larger rate adds to it: steps to and fro are of the size rate x strength",
            ),
        ],
    )


def draw(data, rate, strength) -> Drawing:
    """Errors of one draw against steps, and recovery errors against slow time."""
    one = data.isel(trial=0)
    plain, slow = [], []
    for at, (weak, role) in enumerate(zip(strength.values, SERIES, strict=False)):
        for pace in rate.values[-1:]:
            run = one.sel(strength=weak, rate=pace)
            shown = run.step.values > 0
            name = f"strength {float(weak):g}"
            plain.append(Line(f"recovery, {name}", run.step.values[shown], run.recovery.values[shown], role=role))
            if at == 0:
                plain.append(Line("training", run.step.values[shown], run.train.values[shown], role="theory"))
        for pace in rate.values:
            run = one.sel(strength=weak, rate=pace)
            x = float(pace) * float(weak) * run.step.values
            shown = x > 1e-3
            slow.append(Line(f"rate {float(pace):g}, {name}", x[shown], run.recovery.values[shown], role=role))
    y = Axis("relative error", scale="log")
    return Drawing(
        [
            Panel(plain, x=Axis("steps", scale="log"), y=y, title=f"Rate {float(rate.values[-1]):g}"),
            Panel(slow, x=Axis("rate x strength x steps", scale="log"), y=y, title="All rates, recovery"),
        ],
        caption="Subgradient descent, one draw. Left: the weaker the penalty the later the truth is found, and the nearer. "
        "Right: against rate x strength x steps all fall as one.",
    )


CLAIM = Claim(
    kind="figure",
    title="All rates and strengths fall on one curve",
    says="Curves of recovery at all rates and strengths agree as functions of rate x strength x steps, those of the fit as "
    "functions of rate x steps; larger rates and strengths end farther from the truth.",
    source="beyond_l2, figure 12",
    simulation=SCALED["subgradient"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"clock": 1.0},
    least={"rate": 2, "strength": 2},
    control=Control(
        "the root of the strength on the clock",
        changes={"clock": 0.5},
        breaks=(
            "largest over smallest of rate x strength x steps until the truth is found, less one, the farthest draw",
        ),
    ),
    seconds={"quick": 10, "paper": 220},
)
