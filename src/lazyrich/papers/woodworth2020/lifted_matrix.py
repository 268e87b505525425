r"""Section 6: the lifted matrix $WW^\top$ determines its own flow, the product $UV^\top$ does not (and an erratum)."""

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Line, Points
from ...claims.labelled import norm, spread
from ...claims.marks import one_panel
from .simulations.lifted import SIMULATION


def judge_path(data) -> Evidence:
    """Three ways to follow one flow, the largest distance over times, scales and trials."""
    size = norm(data.wide, "m").max("t")
    narrow, alone = ((norm(data[name] - data.wide, "m") / size).max() for name in ("narrow", "alone"))
    moved = (norm(data.wide - data.wide.isel(t=0), "m") / size).max("t").min()
    name = r"distance of the flow with $\min(k, 2d)$ columns, relative"
    growth = "both are followed to 1e-9 per step over about a hundred steps; times 10 for the growth of errors"
    return Evidence(
        sound=[at_least("smallest move of the lifted matrix, relative", moved, 0.1, key="move", why="flows at rest all agree")],
        holds=[
            at_most("distance of the flow of the lifted matrix alone, relative", alone, 1e-6, key="alone", why=growth),
            at_most(name, narrow, 1e-6, key="narrow", why="an exact reduction; the same tolerance"),
        ],
    )


def draw_path(data) -> Drawing:
    """The largest entries of one trial along the three flows."""
    one = data.isel(trial=0, alpha=0)
    time, marks = one.time.values, []
    for rank, at in enumerate(spread(one.wide, "t").argsort().values[::-1][:6:2]):
        marks += [
            Line(f"all columns, entry {rank + 1}", time, one.wide.isel(m=at).values),
            Points(f"lifted matrix alone, entry {rank + 1}", time, one.alone.isel(m=at).values, role="theory"),
        ]
    caption = r"Entries of $[U; V][U; V]^\top$ along gradient flow on the factors (lines) and along its own equation (points)."
    return one_panel(marks, Axis("time"), Axis("entry of the lifted matrix"), caption)


def judge_equation(data, factor) -> Evidence:
    """The time derivative against the two products, the largest distance over times, scales and trials."""
    size = norm(data.rates, "m")
    fastest = size.max(("t", "trial")).min()
    off = (norm(data.rates - factor * data.terms, "m").max("t") / size.max("t")).max()
    name, why = (
        "time derivative less the factor times the products, relative",
        "an identity: rounding error of sums of 40 products",
    )
    return Evidence(
        sound=[at_least("largest time derivative", fastest, 1e-3, key="moves", why="zero is any multiple of zero")],
        holds=[at_most(name, off, 1e-10, key="factor", why=why)],
    )


def draw_equation(data) -> Drawing:
    """Entries of the time derivative against those of the products, at initialization, of one trial."""
    one = data.isel(trial=0, alpha=-1, t=0)
    x = one.terms.values
    ends = [x.min(), x.max()]
    marks = [
        Points("along the flow", x, one.rates.values),
        Line("corrected: $-2$", ends, [-2 * e for e in ends], role="theory"),
        Line("printed: $+1$", ends, ends, role="control"),
    ]
    caption = "The time derivative of the lifted matrix against the sum of the two products, entry by entry."
    return one_panel(marks, Axis("entry of the two products"), Axis("time derivative of that entry"), caption)


CLAIMS = (
    Claim(
        id="woodworth2020/lifted_dynamics",
        kind="statement",
        title="The lifted matrix determines its own flow",
        says=r"Under gradient flow on $U$ and $V$ the lifted matrix $[U; V][U; V]^\top$ obeys a closed equation, so the path of "
        r"$U V^\top$ depends on the initialization through it alone: $k$ columns can be replaced by $\min(k, 2d)$. The product "
        r"$U V^\top$ by itself does not determine its path.",
        source="woodworth2020, section 6",
        simulation=SIMULATION,
        judge=judge_path,
        draw=draw_path,
        controls=[Control(r"the same $U V^\top$ with $U$ doubled and $V$ halved", {"tilt": 2.0}, breaks=("alone", "narrow"))],
        seconds={"quick": 10, "paper": 30},
    ),
    Claim(
        id="woodworth2020/lifted_sign",
        kind="erratum",
        title="The lifted flow descends, at twice the printed pace",
        says=r"The flow of $M = W W^\top$ is $\dot{M} = -2 (\nabla L\, M + M \nabla L)$; the printed equation lacks the minus "
        r"sign and the factor 2.",
        source="woodworth2020, section 6",
        simulation=SIMULATION,
        judge=judge_equation,
        draw=draw_equation,
        constants={"factor": -2.0},
        controls=[Control("the printed form: a factor of $+1$", changes={"factor": 1.0}, breaks=("factor",))],
        seconds={"quick": 10, "paper": 30},
    ),
)
