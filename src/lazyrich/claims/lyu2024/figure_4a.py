"""Figure 4a: without decay modular addition is learned too, but after a time that is a power of ten with many digits."""

from ...lab.settings.addition_without_decay import SIMULATION
from ..base import Claim, Control, Evidence, Reading, at_least, at_most
from ..drawing import Axis, Drawing, Panel
from .tower import curves, instruments


def judge(data, modulus) -> Evidence:
    """Fit early, near chance then; half of the test after exponentially more time; test accuracy still climbing."""
    return Evidence(
        sound=instruments(data),
        holds=[
            at_most(
                "log10 of the time to fit, the largest",
                data.fits.max(),
                4,
                why="the loss falls at a rate of order 1/100 from a He start; the paper's curve is at 1 by 1e4",
            ),
            at_most(
                "test accuracy when the data are fitted, less chance, the mean",
                data.fitted_test.mean() - 1 / modulus,
                0.06,
                why="random guessing; three standard errors of 200 sums at the small size",
            ),
            _apart(data),
            at_least(
                "test accuracy at the end, the median draw",
                data.test.isel(t=-1).median(),
                0.5,
                why="the same bias without decay: test accuracy climbs towards 1",
            ),
        ],
    )


def _apart(data) -> Reading:
    return at_least(
        "log10 of the time of a tenth of the test accuracy over that to fit, the median draw",
        (data.t10.clip(max=data.log_time.isel(t=-1)) / data.fits).median(),
        2,
        why="exponentially longer: at least the square of the time to fit before a tenth is right",
    )


def draw(data) -> Drawing:
    """Accuracies against the logarithm of time."""
    panel = Panel(
        curves(data, lambda log_time: log_time),
        x=Axis("log10 of time"),
        y=Axis("accuracy", low=0.0, high=1.04),
    )
    return Drawing(
        [panel],
        columns=1,
        caption="Modular addition without decay, by descent with the step over the loss: time is the sum of all steps. Sums that "
        "were not shown become right, but only over tens of powers of ten.",
    )


CLAIM = Claim(
    kind="figure",
    title="Without decay grokking takes exponentially long",
    says="Without decay the same net fits its sums by t = 1e4 with the others guessed; test accuracy climbs towards 1 "
    "all the same, while log(t) itself grows by orders of magnitude.",
    source="lyu2024, figure 4a",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    aliases=("figure_4",),
    control=Control(
        "stopped near t = 1e4, where with decay all is over",
        changes={"steps": 300},
        breaks=(
            "log10 of the time of a tenth of the test accuracy over that to fit, the median draw",
            "test accuracy at the end, the median draw",
        ),
        size="quick",
    ),
    sizes={"paper": {"trials": 2}},
    seconds={"quick": 20, "paper": 150},
)
