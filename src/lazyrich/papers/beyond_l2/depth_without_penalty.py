r"""Products of two factors or more recover a sparse vector from a small initialization without penalty; one does not."""

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Drawing, Line, Panel, Rule
from ...claims.marks import log_axis
from ...lab import Param
from .shared.depth import chosen, far_from_edge, named
from .shared.phases import STEPS, curve
from .simulations.hadamard import SMALL

SIZES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
SIMULATION = SMALL.with_params(
    Param("depth", (2, 3), (2, 3, 4), smoke=(2,), low=1, high=8, unit="factors", static=True),
    Param("n", 50, smoke=14, low=1, high=1_000, unit="measurements"),
    Param("product", SIZES[::2], (*SIZES, 1e-7), smoke=SIZES[:3:2], low=1e-30, high=10.0, unit="initial size of an entry"),
    Param("init_scale", "=sqrt(d)*product**(1/depth)", low=0.0, high=1e4, unit="initial norm of a factor"),
    Param("zero_first", 1, low=0, high=8, unit="above 0: one factor initialized at zero, the others constant"),
)


def judge(data, level) -> Evidence:
    """The final error: small from the smallest initialization, larger from larger ones, that of least squares for one factor."""
    last = data.recovery.isel(t=-1).sortby("product")
    middle = last.median("trial")
    return Evidence(
        sound=[far_from_edge(data)],
        holds=[
            at_most(
                "final error from the smallest initialization over the level, median, maximum over depths",
                (middle.isel(product=0) / level).max(skipna=False),
                1,
                key="error",
                why="entries off the support end at powers of the initialization; the data themselves are fitted to 1e-3",
            ),
            at_most(
                "final error from the smallest initialization over that from the largest, median, maximum over depths",
                (last.isel(product=0) / last.isel(product=-1)).median("trial").max(skipna=False),
                0.4,
                key="error_by_initialization",
                why="off the support the power $1-q$ of the initialization, with relative gradient $q < 1$: 1e-4 to a power of "
                "1/4 is a tenth, and errors cannot fall below the training error",
            ),
            at_least(
                "error of one factor, as the difference of two with equal initialization, minimum",
                data.shallow.min(skipna=False),
                0.45,
                key="depth_1_error",
                why="least squares leaves half of the squared norm at $N = n/2$: 0.71, with a standard deviation of 0.05",
            ),
        ],
    )


def draw(data, depth, product) -> Drawing:
    """The error of one trial over time from each initialization, and the median final error against the initialization."""
    panels = []
    for layers in depth.values[:2]:
        marks = []
        for role, size in zip(("control", "second", "measured"), product.values[-3:], strict=False):
            one = data.sel(depth=layers, product=size).isel(trial=0)
            marks.append(curve(f"initialization {float(size):g}", one.steps, one.recovery, role=role))
        panels.append(Panel(marks, STEPS, log_axis("relative recovery error"), title=f"One trial, {named(layers)}"))
    last = data.recovery.isel(t=-1).median("trial")
    ends = [Line(named(layers), product.values, last.sel(depth=layers).values, role=role) for role, layers in chosen(depth)]
    marks = [*ends, Rule("one factor", float(data.shallow.median()))]
    size, error = log_axis("initial size of one entry"), log_axis("final relative error")
    return Drawing(
        [*panels, Panel(marks, size, error, title="Median over trials")],
        columns=3,
        caption="Products of vectors from an initialization with zero output, without any penalty. The smaller the "
        "initialization, the closer they end to the sparse ground truth; one factor always converges to least squares.",
    )


CLAIM = Claim(
    id="beyond_l2/depth_without_penalty",
    kind="statement",
    title="Depth needs no penalty",
    says="From a small initialization, without any penalty, gradient descent on the entrywise product of two vectors or more "
    "ends close to the sparse ground truth, the closer the smaller the initialization; one factor converges to least squares.",
    source="beyond_l2, appendix C.11",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    least={"product": 2},
    controls=[Control("one factor", changes={"depth": (1,)}, breaks=("error", "error_by_initialization"))],
    seconds={"quick": 15, "paper": 200},
)
