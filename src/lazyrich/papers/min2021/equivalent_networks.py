r"""Networks with the same predictor at all times: rescaled to unit variance as in the NTK, and compressed to $n + m$ units."""

from functools import partial

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Drawing, Panel, Points
from ...claims.labelled import norm
from ...claims.marks import family, log_axis
from .shared.marks import EXPONENT
from .simulations.linear_net_routes import SIMULATION

ROUNDING = 1e-12
"""Below this fraction of the initial loss its square root, the error, has fewer than ten correct digits."""


def judge_rescaled(data, width, exponent) -> Evidence:
    """Predictors at corresponding times, guaranteed rates of both networks, and the factor of the output."""
    size = norm(data.wide_map, "e")
    moved = norm(data.wide_map.isel(t=-1) - data.wide_map.isel(t=0), "e") / size.max("t")
    rates = data.rescaled_guaranteed * width ** (2 * exponent) / data.guaranteed
    factor = data.output / data.unit_output / width ** (0.5 - 2 * exponent)
    why = "constant predictors would agree at all times"
    return Evidence(
        sound=[at_least("relative motion of the predictor, minimum", moved.min(), 0.1, key="motion", why=why)],
        holds=[
            at_most(
                "relative distance of the predictors of both networks, maximum over time",
                (norm(data.rescaled_map - data.wide_map, "e") / size.max("t")).max(),
                1e-7,
                key="predictor",
                why="one flow in two units, up to solver tolerances of 1e-10 and a few hundred steps",
            ),
            at_most(
                r"guaranteed rate of the rescaled network times $h^{2a}$, relative distance to that of the network, maximum",
                abs(rates - 1).max(),
                1e-9,
                key="guarantee",
                why=r"$h^{-2a}X$ scales $\Sigma_X$ by $h^{-4a}$, $h^a[U, V]$ scales $\Delta$ by $h^{2a}$, up to rounding error",
            ),
            at_most(
                r"output over that of the standard NTK network, relative distance to $h^{1/2-2a}$, maximum",
                abs(factor - 1).max(),
                1e-10,
                key="output",
                why="$h^{-2a}$ in place of $h^{-1/2}$, up to rounding error",
            ),
        ],
    )


def draw_rescaled(data, width, exponent) -> Drawing:
    """The distance of the predictors to the final one against time in both parametrizations."""
    one = data.isel(trial=0, tilt=-1)
    end = one.wide_map.isel(t=-1)
    left, other = ((norm(part - end, "e") / norm(end, "e"))[..., 1:-1] for part in (one.wide_map, one.rescaled_map))
    time, late = one.time[..., 1:-1], (one.time * width ** (2 * exponent))[..., 1:-1]
    own, same = (family(EXPONENT, clock, left, "exponent") for clock in (time, late))
    scaled = [*same, *family(f"rescaled, {EXPONENT}", late, other, "exponent", mark=Points)]
    y = log_axis("relative distance to the final predictor")
    return Drawing(
        [
            Panel(own, log_axis("time $t$"), y, title="Weights $N(0, h^{-2a})$"),
            Panel(scaled, log_axis("$h^{2a}t$"), y, title="Weights $N(0, 1)$"),
        ],
        caption=f"Width {width}, one trial. Lines: the network with weights $N(0, h^{{-2a}})$. Points: the network with weights "
        "$N(0, 1)$ and its output times $h^{-2a}$, evaluated at $h^{2a}t$. The predictors coincide.",
    )


def apart(data, name, axis):
    """Distance of the two networks at all times, over the largest norm along the flow; rates only above rounding error."""
    wide, narrow = data[f"wide_{name}"], data[f"narrow_{name}"]
    far = norm(narrow - wide, axis) / norm(wide, axis).max("t")
    loss = data.wide_loss.isel(o=0)
    return far.where(loss > ROUNDING * loss.isel(t=0)) if name == "rate" else far


def judge_compressed(data, width, d, outputs) -> Evidence:
    """Predictors, losses, rates and spectra of both networks."""
    why = "one flow of the layers, rotated, up to solver tolerances of 1e-10 and a few hundred steps"
    late = "the same, and the rate divides by an error that has decreased by up to six orders of magnitude"
    ratio, wide = width / (d + outputs), "otherwise there is nothing to compress"
    return Evidence(
        sound=[at_least("width over the width of the compressed network", ratio, 2, key="width", why=wide)],
        holds=[
            at_most(
                f"{what} of the compressed network, relative distance to the wide one, maximum over time",
                apart(data, name, axis).max(),
                bound,
                key=name,
                why=reason,
            )
            for what, name, axis, bound, reason in (
                ("predictor", "map", "e", 1e-7, why),
                ("loss", "loss", "o", 1e-7, why),
                ("instantaneous rate", "rate", "o", 1e-5, late),
                ("spectrum of the imbalance", "spectrum", "m", 1e-7, why),
            )
        ],
    )


def draw_compressed(data, exponent, width, d, outputs) -> Drawing:
    """Losses of both networks, and their rates."""
    one = data.isel(trial=0, tilt=-1, o=0)
    clock = (one.time * width ** (1 - 2 * exponent))[..., 1:]
    panels = []
    for title, name in (("Loss", "loss"), ("Instantaneous rate", "rate")):
        wide, narrow = (one[f"{net}_{name}"][..., 1:] for net in ("wide", "narrow"))
        marks = [
            *family(f"$h = {width}$, {EXPONENT}", clock, wide, "exponent"),
            *family(f"$h = {d + outputs}$, {EXPONENT}", clock, narrow, "exponent", mark=Points),
        ]
        x, y = log_axis("$h^{1-2a}t$"), log_axis(title.lower())
        panels.append(Panel(marks, x, y, title=title, legend=name == "loss"))
    caption = (
        "One trial. Lines: networks of full width. Points: networks with as many hidden units as inputs and outputs together."
    )
    return Drawing(panels, caption=caption)


claim = partial(Claim, simulation=SIMULATION, seconds={"quick": 20, "paper": 200})
CLAIMS = (
    claim(
        id="min2021/ntk_clock",
        kind="statement",
        title="The same gradient flow in the NTK parametrization",
        says=r"$\tilde U = h^aU$ and $\tilde V = h^aV$ have entries of unit variance and follow gradient flow on "
        r"$\frac{1}{2}\|Y - h^{-2a}X\tilde U\tilde V^\top\|_F^2$ at times $h^{2a}t$: a standard NTK network with its output "
        "times $h^{1/2-2a}$. Guaranteed rates are rescaled accordingly.",
        source="min2021, appendix D and remark 13",
        judge=judge_rescaled,
        draw=draw_rescaled,
        aliases=("remark_13",),
        controls=[Control("times $h^{1.9a}t$ in place of $h^{2a}t$", changes={"clock": 1.9}, breaks=("predictor",))],
    ),
    claim(
        id="min2021/width_compression",
        kind="derived",
        title="Every width reduces exactly to $n + m$ hidden units",
        says=r"If $[V; U] = LQ$ with $QQ^\top = I$, the network with weights $L$ has the same predictor, loss, rate and "
        "imbalance as the wide one at all times: $n + m$ hidden units suffice for every width.",
        source="min2021, section 3",
        judge=judge_compressed,
        draw=draw_compressed,
        controls=[Control("one hidden unit fewer", changes={"lost": 1}, breaks=("map",))],
    ),
)
