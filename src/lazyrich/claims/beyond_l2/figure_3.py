"""Figure 3: a ReLU student with an l1 penalty or with known derivatives: a smaller rate and a smaller strength each delay."""

from ...lab.settings.teacher_student import PENALTIES, SIMULATION
from ..base import Claim, Control, Evidence, near
from ..drawing import Drawing
from .scaling import power
from .student import curves, fell, instrument, late


def judge(data, method, of_rate, of_strength) -> Evidence:
    """The delay of the test error's fall, and the powers of rate and strength in it, each with the other held."""
    powers = {"rate": of_rate, "strength": of_strength}
    return Evidence(
        sound=instrument(data, method),
        holds=[
            fell(data),
            late(data),
            *(
                near(
                    f"power of the {axis} in the steps until the test error falls, {PENALTIES[int(which)]}, the median",
                    power(data.falls.sel(penalty=which), axis).median(skipna=False),
                    target,
                    0.05,
                    why="T/(rate x strength) steps; over a factor of two 3% of T count 0.05; single draws are farther off",
                )
                for axis, target in powers.items()
                for which in data.penalty.values
            ),
        ],
    )


def draw(data, rate, strength) -> Drawing:
    """Errors of one draw with either penalty."""
    return Drawing(
        [panel for at in range(data.sizes["penalty"]) for panel in curves(data, rate, strength, at)],
        caption="Two-layer ReLU students of a ReLU teacher, one draw, with an l1 penalty on all weights and with the teacher's "
        "derivatives at the samples. Halving the rate or the strength doubles the time until the test error falls.",
    )


CLAIM = Claim(
    kind="figure",
    title="Small rates and strengths delay a ReLU student",
    says="With an l1 penalty or a first-order Sobolev penalty a two-layer ReLU student fits its data first; its test error falls "
    "the later the smaller the rate, and the later the smaller the strength.",
    source="beyond_l2, figure 3",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"of_rate": -1.0, "of_strength": -1.0},
    sizes={size: {"penalty": (0, 3)} for size in ("smoke", "quick", "paper")},
    least={"rate": 2, "strength": 2},
    control=Control(
        "a delay inverse to the root of the strength",
        changes={"of_strength": -0.5},
        breaks=tuple(
            f"power of the strength in the steps until the test error falls, {name}, the median"
            for name in ("l1", "Sobolev")
        ),
    ),
    seconds={"quick": 35, "paper": 1_100},
)
