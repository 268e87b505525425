r"""Erratum: after corollary 10, "$\alpha$ slower than $1/k$" should read $1/\sqrt k$."""

from ...lab.settings.matrix_sensing import ALONG_WIDTH
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel
from .kernel_bounds import slope


def judge(data, width) -> Evidence:
    """Whether the move of the weights and the distance from the tangent model vanish as the width grows."""
    move, apart = (data[name].max("t", skipna=False) for name in ("move", "apart"))
    return Evidence(
        holds=[
            at_most(
                "exponent of the move against the width",
                slope(move, width, "width").mean(),
                -0.02,
                why="the kernel regime: it vanishes, like k^(p - 1/2), -0.05 for p = 0.45",
            ),
            at_most(
                "distance from the tangent model over the move, at the largest width",
                (apart / move).isel(width=-1).mean(),
                0.2,
                why="the kernel regime: second order, |r|/mu times a constant below two, mu = 16 there",
            ),
        ],
    )


def draw(data, width) -> Drawing:
    """Both distances against the width."""
    move, apart = (data[name].max("t").mean("trial").isel(power=0).values for name in ("move", "apart"))
    return Drawing(
        [
            Panel(
                [
                    Line("from the start", width.values, move),
                    Line("from the tangent model", width.values, apart, role="second"),
                ],
                x=Axis("width k", scale="log"),
                y=Axis("largest distance of weights", scale="log"),
            )
        ],
        columns=1,
        caption="How far the weights go from their start and from the tangent model for alpha = k^(-0.45), which "
        "vanishes a little "
        "slower than 1/sqrt(k): both distances vanish.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The kernel regime needs alpha above 1/sqrt(k), not 1/k",
    says="The net enters its kernel regime as k grows if alpha tends to zero slower than 1/sqrt(k); the remark "
    "after corollary 10 "
    "prints 1/k, but alpha = k^(-3/4) is slower than that and its net is rich.",
    source="woodworth2020, appendix H",
    simulation=ALONG_WIDTH,
    judge=judge,
    draw=draw,
    sizes={"quick": {"power": (0.45,)}, "paper": {"power": (0.45,)}, "smoke": {"power": (0.45,)}},
    least={"width": 2},
    control=Control(
        "the printed form: alpha = k^(-3/4), slower than 1/k",
        changes={"power": (0.75,), "width": (1e4, 1e5, 1e6)},
        breaks=(
            "exponent of the move against the width",
            "distance from the tangent model over the move, at the largest width",
        ),
    ),
    seconds={"quick": 10, "paper": 60},
)
