r"""The comparison with the NTK: weights $h^aU$, $h^aV$ of variance one follow the same maps on a clock $h^{2a}$ times as fast."""

from ...lab.settings.linear_net_routes import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points
from ..labelled import norm


def judge(data, width, exponent) -> Evidence:
    """Maps at times that belong together, guaranteed rates on both clocks, and the factor of the output."""
    size = norm(data.wide_map, "e")
    moved = norm(data.wide_map.isel(t=-1) - data.wide_map.isel(t=0), "e") / size.max("t")
    rates = data.rescaled_guaranteed * width ** (2 * exponent) / data.guaranteed
    factor = data.output / data.unit_output / width ** (0.5 - 2 * exponent)
    return Evidence(
        sound=[
            at_least(
                "motion of the map over its size, the least", moved.min(), 0.1, why="maps at rest agree on every clock"
            )
        ],
        holds=[
            at_most(
                "map of the rescaled net less that of the net, relative, at all times",
                (norm(data.rescaled_map - data.wide_map, "e") / size.max("t")).max(),
                1e-7,
                why="one flow in two units: solver tolerances of 1e-10 and some hundred steps",
            ),
            at_most(
                "guaranteed rate of the rescaled net, times h^(2a), over that of the net, less one, the largest",
                abs(rates - 1).max(),
                1e-9,
                why="inputs times h^(-2a) scale their eigenvalues by h^(-4a), weights times h^a the level by h^(2a): rounding",
            ),
            at_most(
                "output over that of the standard NTK net, over h^(1/2-2a), less one, the largest",
                abs(factor - 1).max(),
                1e-10,
                why="h^(-2a) in the place of h^(-1/2): rounding",
            ),
        ],
    )


def draw(data, width, exponent) -> Drawing:
    """How far the maps have gone against time on both clocks."""
    one = data.isel(trial=0, tilt=-1)
    end = one.wide_map.isel(t=-1)
    own, scaled = [], []
    for at, a in enumerate(exponent.values):
        part = one.isel(exponent=at)
        role = SERIES[at % 3]
        gone = norm(part.wide_map - end.isel(exponent=at), "e") / norm(end.isel(exponent=at), "e")
        other = norm(part.rescaled_map - end.isel(exponent=at), "e") / norm(end.isel(exponent=at), "e")
        own.append(Line(f"a = {a:g}", part.time[1:-1], gone[1:-1], role=role))
        scaled.append(Line(f"a = {a:g}", width ** (2 * a) * part.time[1:-1], gone[1:-1], role=role))
        scaled.append(Points(f"rescaled, a = {a:g}", width ** (2 * a) * part.time[1:-1], other[1:-1], role=role))
    y = Axis("distance from the last map, relative", scale="log")
    return Drawing(
        [
            Panel(own, x=Axis("time t", scale="log"), y=y, title="The net on its own clock"),
            Panel(scaled, x=Axis("h^(2a) t", scale="log"), y=y, title="With weights of variance one"),
        ],
        caption=f"Width {width}, one draw. Lines are the net with weights of deviation h^-a, points the net with weights of "
        "variance one and its output times h^(-2a), read at h^(2a) t: the same maps.",
    )


CLAIM = Claim(
    kind="statement",
    title="The same flow on the clock of the NTK",
    says="Weights times h^a have variance one and follow the flow of |Y - h^(-2a) X U V^T|^2/2 at times h^(2a) t: a standard NTK "
    "net with its output times h^(1/2-2a). Guaranteed rates change with the clock.",
    source="min2021, appendix D and remark 13",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    aliases=("remark_13",),
    control=Control(
        "a clock of h^(1.9 a)",
        changes={"clock": 1.9},
        breaks=("map of the rescaled net less that of the net, relative, at all times",),
    ),
    seconds={"quick": 20, "paper": 200},
)
