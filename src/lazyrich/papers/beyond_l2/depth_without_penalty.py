r"""Products of two factors or more find a sparse vector from a small start without any penalty; one factor does not."""

from ...lab import Param
from ...lab.settings.hadamard import SMALL
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Rule
from .depth import chosen, far_from_edge, named

SIMULATION = SMALL.with_params(
    Param("depth", (2, 3), (2, 3, 4), smoke=(2,), low=1, high=8, unit="factors", static=True),
    Param("n", 50, smoke=14, low=1, high=1_000, unit="measurements"),
    Param(
        "product",
        (1e-2, 1e-4, 1e-6),
        (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7),
        smoke=(1e-2, 1e-4),
        low=1e-30,
        high=10.0,
        unit="size of the start of one entry, all factors together",
    ),
    Param("start", "=sqrt(d)*product**(1/depth)", low=0.0, high=1e4, unit="size of the start of a factor"),
    Param("zero_first", 1, low=0, high=8, unit="above 0: one factor starts at zero, the others alike"),
)


def judge(data, level) -> Evidence:
    """The error at the end: small from the least start, larger from larger ones, and that of least squares for one factor."""
    last = data.recovery.isel(t=-1).sortby("product")
    middle = last.median("trial")
    return Evidence(
        sound=[far_from_edge(data)],
        holds=[
            at_most(
                "error at the end from the least start over the level, the median draw, the largest over depths",
                (middle.isel(product=0) / level).max(skipna=False),
                1,
                why="entries that the truth has not end at powers of the start; the data themselves are fitted to 1e-3",
            ),
            at_most(
                "error at the end from the least start over that from the largest, the median draw, the largest over depths",
                (last.isel(product=0) / last.isel(product=-1)).median("trial").max(skipna=False),
                0.4,
                why="they end at the power 1 - q of the start's size, q < 1 the slope where the truth is zero over that where "
                "it is not: a factor 1e-4 to a power of a quarter is a tenth, and errors cannot fall below that of the fit",
            ),
            at_least(
                "error of one factor, as the difference of two that start alike, the least",
                data.shallow.min(skipna=False),
                0.45,
                why="it ends at least squares, which misses half of the truth's square from half of the rows: 0.71 of its "
                "size, with a deviation of 0.05 over draws",
            ),
        ],
    )


def draw(data, depth, product) -> Drawing:
    """The error of one draw over time from each start, and the median error at the end against the start."""
    panels = []
    for layers in depth.values[:2]:
        marks = []
        for role, size in zip(("control", "second", "measured"), product.values[-3:], strict=False):
            one = data.sel(depth=layers, product=size).isel(trial=0, t=slice(1, None))
            marks.append(Line(f"start {float(size):g}", one.steps.values, one.recovery.values, role=role))
        panels.append(
            Panel(
                marks,
                x=Axis("steps", scale="log"),
                y=Axis("relative error of recovery", scale="log"),
                title=f"One draw, {named(layers)}",
            )
        )
    last = data.recovery.isel(t=-1).median("trial")
    ends = [
        Line(named(layers), product.values, last.sel(depth=layers).values, role=role) for role, layers in chosen(depth)
    ]
    return Drawing(
        [
            *panels,
            Panel(
                [*ends, Rule("one factor", float(data.shallow.median()))],
                x=Axis("start of one entry", scale="log"),
                y=Axis("relative error at the end", scale="log"),
                title="Median over draws",
            ),
        ],
        columns=3,
        caption="Products of vectors from starts of output zero, without any penalty. The smaller the start the nearer they end "
        "to the sparse truth; one factor ends at least squares whatever the start.",
    )


CLAIM = Claim(
    kind="statement",
    title="Depth needs no penalty",
    says="From a small start, without any penalty, descent on the entrywise product of two vectors or more ends near the "
    "sparse truth, the nearer the smaller the start; with one factor it ends at least squares, far from it.",
    source="beyond_l2, appendix C.11",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    least={"product": 2},
    control=Control(
        "one factor",
        changes={"depth": (1,)},
        breaks=(
            "error at the end from the least start over the level, the median draw, the largest over depths",
            "error at the end from the least start over that from the largest, the median draw, the largest over depths",
        ),
    ),
    seconds={"quick": 15, "paper": 200},
)
