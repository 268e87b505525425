r"""Theorem C.6 and an erratum to C.8: descent contracts in the row space of $X$, at a rate $\rho<1$, and nowhere else."""

import numpy as np

from ...claims.axes import places
from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Line, Panel, Points, Rule
from ...claims.labelled import norm
from ...claims.marks import equal, family, log_axis
from .shared.phases import STEPS
from .simulations.row_contraction import BOUNDED, CONTRACTED


def late_rate(data):
    """The logarithm of the contraction per step between two late counts."""
    early, late = (data.isel(t=at) for at in (1, 2))
    return np.log(late.inside / early.inside) / (late.steps - early.steps)


def judge_limit(data, kept) -> Evidence:
    """The limit, the gradient there, the bound, and the rate between two late counts."""
    limit = data.solution + kept * data.outside
    log_radius = np.log(data.radius)
    used = data.inside / (np.exp(data.steps * log_radius) * data.inside.isel(t=0))
    gradient = data.slope.isel(t=-1) / data.slope.isel(t=0)
    return Evidence(
        holds=[
            at_most(
                "relative distance of the end from the limit, maximum",
                (norm(data.end - limit) / norm(data.solution)).max(),
                1e-9,
                key="limit",
                why=r"the slowest direction has shrunk by $10^{14}$ from the size of the solution; rounding error over $1-\rho$",
            ),
            at_most("final gradient over the initial one, maximum", gradient.max(), 1e-9, key="gradient", why="as for the limit"),
            at_most(
                "distance in the row space over its bound, minus one, maximum",
                used.isel(t=slice(1, 3)).max() - 1,
                1e-3,
                key="bound",
                why=r"no direction shrinks by less than $\rho$; rounding error of 1e-14 over 1e-11",
            ),
            at_most(
                r"logarithm of the contraction per step over $\log\rho$, minus one, median",
                abs(late_rate(data) / log_radius - 1).median(),
                0.01,
                key="rate",
                why="finally only the slowest direction is left; the next ones are below a tenth of it",
            ),
        ]
    )


def draw_limit(data, n) -> Drawing:
    """The contraction of all runs beside the radius, and the end of one trial beside the limit."""
    plain = data.isel(weight_decay=0)
    rate = np.exp(late_rate(plain)).transpose(*plain.radius.dims)
    left = family("{} of the largest stable", plain.radius, rate, "relative_learning_rate", mark=Points)
    one = plain.isel(trial=0, relative_learning_rate=0, n=min(1, n.size - 1))
    limit, end = (one.solution + one.outside).values, one.end.values
    right = [
        Points("with the initial part outside the row space", limit, end),
        Points("without", one.solution.values, end, role="control"),
        equal(limit),
    ]
    x, y = Axis(r"$\rho$ in the row space"), Axis("contraction per step, late")
    return Drawing(
        [
            Panel([*left, equal(data.radius.values, 1.0)], x, y, title="Contraction, by learning rate"),
            Panel(right, Axis("entry of the limit"), Axis("entry of the end"), title="Limit of one trial"),
        ],
        caption=r"Descent without $\ell_1$ penalty and without weight decay: in the row space it converges to the "
        r"least-squares solution by $\rho$ per step; outside it stays at its initialization.",
    )


def judge_radius(data, form) -> Evidence:
    """Whether the radius contracts, so that there is a bound; and distances in the row space from its time on."""
    used = (data.inside / data.bound).where(data.steps >= data.predicted).max("t")
    return Evidence(
        holds=[
            at_most(
                r"$\rho$, maximum",
                data[form].max(),
                1 - 1e-6,
                key="radius",
                why="the logarithm in the bound needs a contraction; the smallest eigenvalue of 70 rows of 100 is 0.03",
            ),
            at_most("distance / bound from its time on, maximum", used.max(), 1, key="bound", why="theorem C.8 with $p=2$"),
            at_least(r"$\rho_\infty$, minimum", data.sup.min(), 1, key="sup", why="the part outside the row space stays"),
        ]
    )


def draw_radius(data, n) -> Drawing:
    """Both radii against the number of measurements, and one descent beside its bound."""
    one = data.isel(learning_rate=0, strength=0, init_scale=0)

    def radii(part):
        return n.values, part.mean("trial").values, part.std("trial").values

    left = [Points("in the row space", *radii(one.radius)), Points("sup norm", *radii(one.sup), role="control")]
    one = data.isel(trial=0, strength=-1, init_scale=0, learning_rate=0, n=min(1, n.size - 1))
    seen = places(one, "t") > 0
    x, y = (part.where(seen, drop=True).values for part in (one.steps, one.inside))
    bound = Line("bound", [float(one.predicted), float(np.max(x))], [float(one.bound)] * 2, role="theory")
    count, distance = Axis("measurements $N$"), log_axis("distance from least squares in the row space")
    return Drawing(
        [
            Panel([*left, Rule("no contraction", 1.0)], count, Axis(r"$\rho$", low=0.0), title="Radius"),
            Panel([Line("descent", x, y), bound], STEPS, distance, title="One trial"),
        ],
        caption="Left: the printed bound takes the logarithm of a radius above 1. Right: the bound in the row space holds.",
    )


CLAIMS = (
    Claim(
        id="beyond_l2/theorem_c_6",
        kind="theorem",
        title=r"Without $\ell_1$ penalty: least squares, plus the initialization outside the row space",
        says=r"Without $\ell_1$ penalty, descent at a stable learning rate converges to $\hat b+(I-VV^\top)b^{(0)}$, or to the "
        r"ridge solution with weight decay; the distance in the row space shrinks by $\rho<1$ per step.",
        source="beyond_l2, theorem C.6",
        simulation=CONTRACTED,
        judge=judge_limit,
        draw=draw_limit,
        constants={"kept": 1.0},
        controls=[Control("the least-squares solution alone", changes={"kept": 0.0}, breaks=("limit",))],
        seconds={"quick": 10, "paper": 60},
    ),
    Claim(
        id="beyond_l2/sup_norm_bound",
        kind="erratum",
        title="No bound in the sup norm",
        says=r"With $N<n$ and no weight decay $\rho_\infty=\|I-\alpha X^\top X\|_{\infty\to\infty}\geq 1$: the memorization time "
        r"of the figures, which takes $\log\rho_\infty$, does not exist. In the row space, with $p=2$, it exists and is a bound.",
        source="beyond_l2, figure 8 and theorem C.8",
        simulation=BOUNDED,
        judge=judge_radius,
        draw=draw_radius,
        constants={"form": "radius"},
        controls=[Control("the sup norm, as printed", changes={"form": "sup"}, breaks=("radius",))],
        seconds={"quick": 15, "paper": 30},
    ),
)
