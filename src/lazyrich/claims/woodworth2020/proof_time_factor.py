r"""The proofs of theorems 1 and 3 integrate half the loss: with the summed squares rates are twice the printed ones."""

from ...lab.settings.diagonal_dual import SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points
from .prices import answer


def judge(data, depth, scale, weight, rate) -> Evidence:
    r"""The map against $2\alpha^2\sinh(-8\,\text{weight}\,X^\top s)$ and its like, and one loss at another pace."""
    size = abs(data.effective).max(("t", "d"))
    expected = answer(rate * weight * data.price, depth, scale)
    pace = abs(data.effective.isel(weight=0) - data.effective.isel(weight=-1)).max(("t", "d")) / size.isel(weight=-1)
    return Evidence(
        holds=[
            at_most(
                "distance of the map from 2 alpha^2 sinh(-8 w X^T s) and its like",
                (abs(data.effective - expected).max(("t", "d")) / size).max(),
                1e-6,
                why="weights and integral are followed to 1e-10 a step, multiplied by at most 1/(1 - p), some "
                "hundred, in the map",
            ),
            at_most(
                "distance of the flows of two weights of the loss at times in inverse proportion",
                pace.max(),
                1e-6,
                why="one flow at two paces, each followed to 1e-10 a step",
            ),
        ],
    )


def draw(data, depth, scale, weight) -> Drawing:
    """The largest entry of the map against time, with both formulas."""
    panels = []
    for k in depth.values:
        one = data.sel(depth=k).isel(scale=0, weight=-1, trial=0, t=slice(1, None))
        at = int(abs(one.effective).isel(t=-1).argmax("d"))
        price = one.price.isel(d=at) * float(weight[-1])
        printed, right = (abs(answer(rate * price, k, float(scale[0]))).values for rate in (0.5, 1.0))
        panels.append(
            Panel(
                [
                    Points("flow", one.time.values, abs(one.effective.isel(d=at)).values),
                    Line("corrected", one.time.values, right, role="theory"),
                    Line("as printed", one.time.values, printed, role="control"),
                ],
                x=Axis("time over the escape time", scale="log"),
                y=Axis("largest entry of the map", scale="log"),
                title=f"Depth {int(k)}",
            )
        )
    return Drawing(
        panels=panels,
        caption="The entry that ends largest, from the integrated residual by the formula of the proof: with the "
        "printed rate, that of "
        "half the loss, it is off by orders of magnitude.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The proofs' rates are those of half the loss",
    says="With L = sum r_n^2 as in equation 1 the flow has beta = 2 alpha^2 sinh(-8 X^T int r), and 2D(D-2) in place "
    "of D(D-2) at depth D; "
    "printed is 4 and D(D-2), right for L/2 alone. Ends are the same, times are not.",
    source="woodworth2020, equations 15 to 17 and 50 to 57",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"rate": 1.0},
    sizes={
        "smoke": {"weight": (0.5, 1.0)},
        "quick": {"depth": (2, 3), "weight": (0.5, 1.0)},
        "paper": {"depth": (2, 3, 4, 5), "weight": (0.5, 1.0)},
    },
    least={"weight": 2},
    control=Control(
        "the printed rates",
        changes={"rate": 0.5},
        breaks=("distance of the map from 2 alpha^2 sinh(-8 w X^T s) and its like",),
    ),
    seconds={"quick": 15, "paper": 90},
)
