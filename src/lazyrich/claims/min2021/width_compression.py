r"""Width compression: a net of any width moves as one of $n + m$ units does, and no fewer."""

from ...lab.settings.linear_net_routes import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points
from ..labelled import norm

# Below this share of the first loss its square root, the error, has fewer than ten digits left of those that the map has.
ROUNDING = 1e-12


def apart(data, name, axis):
    """The two nets' difference at all times, over the largest size along the way; rates where the error is no rounding."""
    wide, narrow = data[f"wide_{name}"], data[f"narrow_{name}"]
    far = norm(narrow - wide, axis) / norm(wide, axis).max("t")
    loss = data.wide_loss.isel(o=0)
    return far.where(loss > ROUNDING * loss.isel(t=0)) if name == "rate" else far


def judge(data, width, d, outputs) -> Evidence:
    """Maps, losses, rates and spectra of both nets."""
    why = "one flow of the layers, turned: solver tolerances of 1e-10 and some hundred steps"
    late = "the same, and a rate divides by an error that has fallen by up to six powers of ten"
    return Evidence(
        sound=[
            at_least(
                "width over that of the narrow net", width / (d + outputs), 2, why="a narrow net needs no compression"
            )
        ],
        holds=[
            at_most(
                f"{what} of the narrow net less that of the wide one, relative",
                apart(data, name, axis).max(),
                bound,
                why=reason,
            )
            for what, name, axis, bound, reason in (
                ("map", "map", "e", 1e-7, why),
                ("loss", "loss", "o", 1e-7, why),
                ("rate of the loss", "rate", "o", 1e-5, late),
                ("spectrum of the imbalance", "spectrum", "m", 1e-7, why),
            )
        ],
    )


def draw(data, exponent, width, d, outputs) -> Drawing:
    """Losses of both nets, and their rates."""
    one = data.isel(trial=0, tilt=-1, o=0)
    panels = []
    for title, name in (("Loss", "loss"), ("Rate of the loss", "rate")):
        marks = []
        for at, a in enumerate(exponent.values):
            part, role = one.isel(exponent=at), SERIES[at % 3]
            clock = (part.time * width ** (1 - 2 * a))[1:]
            marks.append(Line(f"{width} units, a = {a:g}", clock, part[f"wide_{name}"][1:], role=role))
            marks.append(Points(f"{d + outputs} units, a = {a:g}", clock, part[f"narrow_{name}"][1:], role=role))
        x, y = Axis("h^(1-2a) t", scale="log"), Axis(title.lower(), scale="log")
        panels.append(Panel(marks, x=x, y=y, title=title, legend=name == "loss"))
    return Drawing(
        panels,
        caption="One draw. Lines are nets of the full width, points nets with as many units as there are inputs and outputs.",
    )


CLAIM = Claim(
    kind="derived",
    title="Any width in as many units as there are rows",
    says="Where the rows of V and U together are L Q with Q Q^T = I, the net with weights L has the same map, loss, rate and "
    "imbalance at all times as the wide one: n + m units are enough for every width.",
    source="min2021, section 3",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    control=Control(
        "one unit fewer than the rows span",
        changes={"lost": 1},
        breaks=("map of the narrow net less that of the wide one, relative",),
    ),
    seconds={"quick": 20, "paper": 200},
)
