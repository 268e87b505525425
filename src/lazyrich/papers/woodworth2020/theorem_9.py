"""Theorem 9: a factorization whose lifted start is near a large multiple of I stays near its tangent model."""

from ...lab.settings.matrix_sensing import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Points
from .kernel_bounds import apart_bound, applies, move_bound, slope


def judge(data, mu, constant) -> Evidence:
    """Both bounds where the hypotheses hold, and how near they come."""
    meant = applies(data, mu)
    move, apart = data.move.max("t", skipna=False), data.apart.max("t", skipna=False)
    round_start = {"width": -1}
    return Evidence(
        sound=[
            at_least(
                "share of runs that meet the hypotheses", meant.mean(), 0.5, why="the theorem is silent on the others"
            )
        ],
        holds=[
            at_most(
                "largest move over its bound",
                (move / (constant * move_bound(data, mu))).where(meant).max(),
                1,
                why="the theorem's own constant",
            ),
            at_most(
                "largest distance from the tangent model over its bound",
                (apart / (constant * apart_bound(data, mu))).where(meant).max(),
                1,
                why="the theorem's own constant",
            ),
            near(
                "move over its first order, |(2 mu X X^T)^(-1/2) r|",
                (move / data.first_order).isel(mu=-1).mean(),
                1,
                0.05,
                why="tightness: the tangent model's own move, up to gamma/mu and |r|/mu, both below a hundredth "
                "at the largest mu",
            ),
            near(
                "exponent of the distance from the tangent model against mu",
                slope(apart.isel(round_start), mu, "mu").mean(),
                -1.5,
                0.15,
                why="second order: |r|^2 / mu^(3/2); the printed bound has a first-order term mu^(-1/2) besides. "
                "Corrections are |r|/mu",
            ),
        ],
    )


def draw(data, mu) -> Drawing:
    """Both distances against mu, with their bounds, from the round start."""
    one = data.isel(width=-1, condition=0)
    x = mu.values
    move, apart = (one[name].max("t").max("trial").values for name in ("move", "apart"))
    bounds = [bound(one, mu).max("trial").values for bound in (move_bound, apart_bound)]
    return Drawing(
        [
            Panel(
                [
                    Points("from the start", x, move),
                    Line("its bound", x, bounds[0], role="theory"),
                    Points("from the tangent model", x, apart, role="second"),
                    Line("bound on that", x, bounds[1], role="control"),
                ],
                x=Axis("mu = alpha^2 k", scale="log"),
                y=Axis("largest distance of weights", scale="log"),
            )
        ],
        columns=1,
        caption="How far the weights go from their start and from the tangent model, at most, with the bounds of "
        "the theorem. The first "
        "is tight up to 1.6; the second distance falls like mu^(-3/2), its bound only like mu^(-1/2).",
    )


CLAIM = Claim(
    kind="theorem",
    title="Near a large multiple of I the flow is that of the tangent model",
    says="If |W(0)W(0)^T - mu I| <= gamma, mu > 4 Lambda gamma / lambda and the first residual is small against "
    "mu, then the weights "
    "move at most sqrt(Lambda + lambda/4) |r| / (lambda sqrt(mu)), and stay near the tangent model.",
    source="woodworth2020, theorem 9",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"constant": 1.0},
    least={"mu": 2},
    control=Control("half the constant", changes={"constant": 0.5}, breaks=("largest move over its bound",)),
    seconds={"quick": 10, "paper": 60},
)
