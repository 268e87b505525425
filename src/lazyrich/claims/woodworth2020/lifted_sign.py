r"""Erratum: $\dot M = \nabla\tilde L\,M + M\,\nabla\tilde L$ lacks a minus and a 2."""

from ...lab.settings.lifted import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points
from ..labelled import norm


def judge(data, factor) -> Evidence:
    """The rate of change against the two products, the worst over times, scales and draws."""
    size = norm(data.rates, "m")
    return Evidence(
        sound=[
            at_least(
                "largest rate of change", size.max(("t", "trial")).min(), 1e-3, why="zero equals any multiple of zero"
            )
        ],
        holds=[
            at_most(
                "rate of change less the factor times the products, relative",
                (norm(data.rates - factor * data.terms, "m").max("t") / size.max("t")).max(),
                1e-10,
                why="an identity: rounding of sums of 40 products",
            )
        ],
    )


def draw(data) -> Drawing:
    """Entries of the rate of change against those of the products, at the start of one draw."""
    one = data.isel(trial=0, alpha=-1, t=0)
    x = one.terms.values
    ends = [x.min(), x.max()]
    return Drawing(
        [
            Panel(
                [
                    Points("along the flow", x, one.rates.values),
                    Line("corrected: -2", ends, [-2 * e for e in ends], role="theory"),
                    Line("printed: +1", ends, ends, role="control"),
                ],
                x=Axis("entry of the two products"),
                y=Axis("rate of change of that entry"),
            )
        ],
        columns=1,
        caption="The rate of change of the lifted matrix against the sum of the two products, entry by entry.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The lifted flow descends, at twice the printed pace",
    says="The flow of M = W W^T is dM/dt = -2 (grad L M + M grad L); the printed equation lacks the minus sign and the factor 2.",
    source="woodworth2020, section 6",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"factor": -2.0},
    control=Control(
        "the printed form: a factor of +1",
        changes={"factor": 1.0},
        breaks=("rate of change less the factor times the products, relative",),
    ),
    seconds={"quick": 10, "paper": 30},
)
