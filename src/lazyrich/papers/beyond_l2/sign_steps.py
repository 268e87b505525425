r"""Lemma C.11, theorem C.12 and its erratum: descent on the $\ell_1$ norm alone, $b\leftarrow b-\alpha\operatorname{sign}b$."""

from functools import partial

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.axes import places
from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Event, Line, Panel, Points, Rule
from ...claims.marks import equal, one_panel
from ...dynamics import GradientDescent
from ...lab import Param, Simulation
from ...losses import Squared
from ...models import Linear
from ...objective import Objective
from ...problems import Split
from ...regularizers import L1

FINE = 2**20  # entries are initialized on this fraction of a step, so that binary arithmetic is exact
POWERS = (1.0, 2.0, 4.0)
EXACT = "exact: the numbers are exact in binary"


def walk(key, *, d, steps, whole, log_step):
    """All entries after every step; a fraction `whole` of them begins at multiples of the step."""
    step = 2.0**log_step
    count, part, side, kind = jr.split(key, 4)
    multiple = jr.uniform(kind, (d,)) < whole
    broken = jr.randint(part, (d,), 1, FINE) / FINE
    ratio = jr.randint(count, (d,), 0, steps - 4) + jnp.where(multiple, 0.0, broken)
    init = Linear(step * ratio * jr.rademacher(side, (d,)))
    no_data = Split(jnp.zeros((1, d)), jnp.zeros(1))
    objective = Objective(no_data, Squared(), reduction="half_sum", penalties=[(L1(), 1.0)])
    path = GradientDescent(step).run(objective, init, jnp.arange(steps + 1), read={"w": lambda model: model.w})
    return {"w": path.reads["w"], "ratio": ratio, "multiple": multiple, "outcome": path.outcome.code}


SIMULATION = Simulation(
    walk,
    params=[
        Param("d", 200, 2_000, smoke=20, low=1, high=100_000, unit="entries", static=True),
        Param("steps", 60, 500, smoke=12, low=6, high=100_000, unit="updates", static=True),
        Param("whole", (0.0, 0.3, 1.0), smoke=(0.3,), low=0.0, high=1.0, unit="fraction of multiples of the step"),
        Param("log_step", (-7, 3), (-7, 0, 3), smoke=(-7,), low=-20, high=20, unit="binary logarithm of the step"),
    ],
    returns={"w": "t d", "ratio": "d", "multiple": "d", "outcome": ""},
)


def judge_walk(data, log_step, strictly) -> Evidence:
    """The first update after which each entry is within the step, what it does then, and where it ends."""
    size, step = abs(data.w), 2.0**log_step
    within = size < step if strictly else size <= step
    inside = within.transpose("t", ...).values
    off, left = abs(within.argmax("t") - np.floor(data.ratio)).max(), (inside[:-1] & ~inside[1:]).sum()
    late = data.w.isel(t=slice(-4, None))
    return Evidence(
        holds=[
            at_most(r"updates until $|b|<\alpha$ minus $\lfloor|b|/\alpha\rfloor$, maximum", off, 0, key="count", why=EXACT),
            at_most(r"entries that leave $|b|<\alpha$ again", left, 0, key="leaving", why=r"the next size is $\alpha-|b|$"),
            at_most(
                r"change over the last two updates / $\alpha$, maximum",
                (abs(late.isel(t=-1) - late.isel(t=-3)) / step).max(),
                0,
                key="cycle",
                why="two updates of opposite sign cancel exactly",
            ),
            at_most(
                r"entries that end at zero and are no multiple of $\alpha$, or the reverse",
                ((abs(late) == 0).all("t") != data.multiple).sum(),
                0,
                key="zeros",
                why=r"zero is reached from multiples of the step, and kept since $\operatorname{sign}(0)=0$",
            ),
        ]
    )


def draw_walk(data, log_step) -> Drawing:
    """A few entries over time, in units of the step."""
    one = data.isel(trial=0, log_step=0, whole=data.sizes["whole"] // 2)
    walks = one.w.transpose("t", "d").values / 2.0 ** float(log_step.values[0])
    shown = np.linspace(0, walks.shape[1] - 1, 5).astype(int)
    marks = [Line(f"entry {k}", np.arange(walks.shape[0]), walks[:, k]) for k in shown]
    marks += [Rule(r"$\alpha$", 1.0), Rule(r"$-\alpha$", -1.0)]
    return Drawing(
        [Panel(marks, Axis("updates"), Axis(r"entry / $\alpha$"), legend=False)],
        columns=1,
        caption="Entries approach zero by one step per update; those that are no multiples of it then oscillate about zero.",
    )


def judge_norms(data, d, log_step, fraction) -> Evidence:
    """The largest entry at the predicted time and one update earlier, and all norms from then on."""
    size = abs(data.w) / 2.0**log_step
    counts, largest = places(size, "t"), size.max("d")
    predicted = np.floor(fraction * data.ratio.max("d"))
    norms = [((size**p).sum("d") ** (1 / p) / d ** (1 / p)).where(counts >= predicted).max() for p in POWERS]
    return Evidence(
        holds=[
            at_most(
                r"$\|b\|_\infty/\alpha$ from the predicted time on, maximum",
                largest.where(counts >= predicted).max(),
                1 - 1e-12,
                key="after",
                why=r"the lemma for every entry: strictly below, by at least $2^{-20}$",
            ),
            at_least(
                r"$\|b\|_\infty/\alpha$ one update before, minimum",
                largest.where(counts == predicted - 1).max("t").where(predicted > 0).min(),
                1,
                key="before",
                why="the converse",
            ),
            at_most(
                r"$\|b\|_p/(\alpha n^{1/p})$ from then on, maximum over $p=1,2,4$",
                max(map(float, norms)),
                1,
                key="norms",
                why=r"all entries are below $\alpha$",
            ),
        ]
    )


def draw_norms(data, d, log_step) -> Drawing:
    """Norms of one trial over time, each over its bound."""
    one = data.isel(trial=0, log_step=0, whole=0)
    size = abs(one.w).transpose("t", "d").values / 2.0 ** float(log_step.values[0])
    updates = np.arange(size.shape[0])
    marks = [Line(f"$p$ = {p:g}", updates, (size**p).sum(1) ** (1 / p) / d ** (1 / p)) for p in POWERS]
    predicted = Event(r"$\lfloor\|b\|_\infty/\alpha\rfloor$", float(np.floor(one.ratio.max())))
    return one_panel(
        [*marks, Line(r"$p = \infty$", updates, size.max(1)), Rule("bound", 1.0), predicted],
        Axis("updates"),
        Axis(r"$\|b\|_p/(\alpha n^{1/p})$", low=0.0),
        caption=r"Descent on the $\ell_1$ norm alone, one trial: all norms are within their bounds once the largest entry is.",
    )


def judge_zeros(data, d, counted) -> Evidence:
    """The number of entries at the end that are, or are not, zero, beside the number of multiples of the step."""
    zeros = (data.w.isel(t=-1) == 0).sum("d")
    found, multiples = zeros if counted == "zeros" else d - zeros, data.multiple.sum("d")
    apart, off = abs(2 * multiples - d).max(), abs(found - multiples).max()
    why = "with equally many multiples and other entries both counts agree"
    return Evidence(
        sound=[at_least("multiples minus other entries, largest absolute difference", apart, 1, key="apart", why=why)],
        holds=[
            at_most("count at the end minus the number of multiples, largest absolute difference", off, 0, key="count", why=EXACT)
        ],
    )


def draw_zeros(data, d) -> Drawing:
    """Both counts at the end against the number of multiples."""
    multiples = data.multiple.sum("d")
    zeros = (data.w.isel(t=-1) == 0).sum("d").transpose(*multiples.dims).values.ravel()
    x = multiples.values.ravel()
    return one_panel(
        [Points("zeros", x, zeros), Points("nonzeros: as printed", x, d - zeros, role="control"), equal([0, d])],
        Axis("multiples of the step at initialization"),
        Axis("entries at the end"),
        caption=r"Descent on the $\ell_1$ norm alone, all trials: multiples of the step end at zero, all others never do.",
    )


sign_descent = partial(Claim, simulation=SIMULATION, seconds={"quick": 8, "paper": 10})
CLAIMS = (
    sign_descent(
        id="beyond_l2/lemma_c_11",
        kind="lemma",
        title="Sign descent in one dimension",
        says=r"Under $b\leftarrow b-\alpha\operatorname{sign}b$, $|b|<\alpha$ after $\lfloor|b|/\alpha\rfloor$ updates, not "
        r"before; then $b$ alternates between two values, or, if and only if it begins at a multiple of $\alpha$, stays at zero.",
        source="beyond_l2, lemma C.11",
        judge=judge_walk,
        draw=draw_walk,
        constants={"strictly": True},
        controls=[
            Control(r"$|b|\leq\alpha$, as printed: one update less for multiples of $\alpha$", {"strictly": False}, ("count",))
        ],
    ),
    sign_descent(
        id="beyond_l2/theorem_c_12",
        kind="theorem",
        title=r"Sign descent bounds every $\ell_p$ norm",
        says=r"Under $b\leftarrow b-\alpha\operatorname{sign}b$, $\|b\|_\infty<\alpha$ after "
        r"$\lfloor\|b\|_\infty/\alpha\rfloor$ updates and not before; from then on $\|b\|_p\leq\alpha n^{1/p}$ for every $p$.",
        source="beyond_l2, theorem C.12",
        judge=judge_norms,
        draw=draw_norms,
        constants={"fraction": 1.0},
        controls=[Control("half as many updates", changes={"fraction": 0.5}, breaks=("after",))],
    ),
    sign_descent(
        id="beyond_l2/count_in_c_12",
        kind="erratum",
        title="Multiples of the step become zero, the others do not",
        says=r"Under $b\leftarrow b-\alpha\operatorname{sign}b$ the final number of zeros is the number of entries that begin at "
        r"multiples of $\alpha$; printed is the number of nonzeros.",
        source="beyond_l2, theorem C.12",
        judge=judge_zeros,
        draw=draw_zeros,
        constants={"counted": "zeros"},
        controls=[Control("the number of nonzeros, as printed", changes={"counted": "others"}, breaks=("count",))],
    ),
)
