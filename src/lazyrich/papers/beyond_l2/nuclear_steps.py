r"""Theorem D.12 and its erratum: descent on the nuclear norm alone, $A\leftarrow A-\alpha\beta_*UV^\top$."""

from functools import partial

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.axes import places
from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most
from ...claims.drawing import Axis, Drawing, Event, Line, Panel, Rule
from ...dynamics import GradientDescent
from ...lab import Param, Simulation
from ...losses import Squared
from ...models import Matrix
from ...objective import Objective
from ...problems import Split, orthogonal_matrix
from ...regularizers import Nuclear

EDGE = 0.05  # other singular values are at least this far from a multiple of the step, in steps
# The polar factor is accurate to 1e-15 times the square of the ratio of the largest to the smallest singular value, here 1e3.
ROUNDING = 1e-6
POLAR = "rounding error of the polar factor"


def walk(key, *, rows, cols, steps, whole, learning_rate, strength):
    """Along the initial singular vectors, in units of the step: signed singular values after every step, and what is left."""
    step, rank = learning_rate * strength, min(rows, cols)
    left, _, right = orthogonal_matrix(jr.fold_in(key, 0), rows=rows, cols=cols, rank=rank)
    count, part, kind = jr.split(jr.fold_in(key, 1), 3)
    # The first is no multiple: of a matrix of rounding errors alone nobody can tell the rank.
    multiple = (jr.uniform(kind, (rank,)) < whole).at[0].set(False)
    broken = jr.uniform(part, (rank,), minval=EDGE, maxval=1 - EDGE)
    ratio = jr.randint(count, (rank,), 0, steps - 4) + jnp.where(multiple, 0.0, broken)
    no_data = Split(jnp.zeros((1, rows)), jnp.zeros((1, cols)))
    objective = Objective(no_data, Squared(), reduction="half_sum", penalties=[(Nuclear(), strength)])

    def along(model):
        return jnp.diagonal(left.T @ model.w @ right) / step

    def beside(model):
        return jnp.linalg.norm(model.w / step - (left * along(model)) @ right.T)

    init, read = Matrix((left * (step * ratio)) @ right.T), {"along": along, "beside": beside}
    path = GradientDescent(learning_rate).run(objective, init, jnp.arange(steps + 1), read=read)
    return {**path.reads, "ratio": ratio, "multiple": multiple, "outcome": path.outcome.code}


SIMULATION = Simulation(
    walk,
    params=[
        Param("learning_rate", (0.5, 0.05), (1.0, 0.1, 0.01), smoke=(0.5,), low=1e-6, high=100.0, unit=r"$\alpha$"),
        Param("strength", (0.1, 2.0), (0.01, 1.0, 3.0), smoke=(0.1,), low=1e-6, high=100.0, unit=r"$\beta_*$"),
        Param("whole", (0.0, 0.5), (0.0, 0.3, 0.6), smoke=(0.3,), low=0.0, high=0.9, unit="fraction of multiples"),
        Param("rows", 8, 40, smoke=5, low=2, high=200, unit="rows", static=True),
        Param("cols", 6, 30, smoke=4, low=2, high=200, unit="columns", static=True),
        Param("steps", 40, 300, smoke=12, low=6, high=10_000, unit="updates", static=True),
    ],
    returns={"along": "t k", "beside": "t", "ratio": "k", "multiple": "k", "outcome": ""},
)


def law(size, written: str, step=1.0) -> Reading:
    r"""The largest $|\sigma_{t+1} - |\sigma_t - \mathrm{step}||$, in units of learning rate x strength."""
    before, after = size.isel(t=slice(None, -1)), size.isel(t=slice(1, None))
    # What has become zero stays there, since a matrix without it has no such direction.
    off = abs(after - abs(before - step)).where(before > ROUNDING).max()
    name = rf"$|\sigma_{{t+1}}-|\sigma_t-{written}||/(\alpha\beta_*)$, maximum"
    return at_most(name, off, ROUNDING, key="law", why=POLAR)


def judge_walk(data, fraction) -> Evidence:
    """Each singular value from update to update, the largest at the predicted time and one update earlier, and zeros."""
    size = abs(data.along)
    counts, largest = places(size, "t"), size.max("k")
    predicted = np.floor(fraction * data.ratio.max("k"))
    return Evidence(
        holds=[
            law(size, r"\alpha\beta_*"),
            at_most("part outside initial singular vectors, maximum", data.beside.max(), ROUNDING, key="vectors", why=POLAR),
            at_most(
                r"$\sigma_{\max}/(\alpha\beta_*)$ from the predicted time on, maximum",
                largest.where(counts >= predicted).max(),
                1 - 1e-3,
                key="after",
                why="strictly below: by at least 0.05, as they were drawn",
            ),
            at_least(
                r"$\sigma_{\max}/(\alpha\beta_*)$ one update before, minimum",
                largest.where(counts == predicted - 1).max("t").where(predicted > 0).min(),
                1 - ROUNDING,
                key="before",
                why="the converse; up to rounding error",
            ),
            at_most(
                "zeros at the end minus the number of multiples of the step, largest absolute difference",
                abs((size.isel(t=-1) < ROUNDING).sum("k") - data.multiple.sum("k")).max(),
                0,
                key="zeros",
                why="an exact count; printed is the number of nonzeros, as in theorem C.12",
            ),
        ]
    )


def draw_walk(data) -> Drawing:
    """The singular values of one trial over time, in units of the step."""
    one = data.isel(trial=0, learning_rate=0, strength=0, whole=-1)
    sizes = abs(one.along).transpose("t", "k").values
    marks = [Line(rf"$\sigma_{{{k + 1}}}$", np.arange(len(sizes)), sizes[:, k]) for k in range(sizes.shape[1])]
    predicted = Event(r"$\lfloor\sigma_{\max}/(\alpha\beta_*)\rfloor$", float(np.floor(one.ratio.max())))
    y = Axis(r"singular value / $(\alpha\beta_*)$", low=0.0)
    return Drawing(
        [Panel([*marks, Rule("step", 1.0), predicted], Axis("updates"), y, legend=False)],
        columns=1,
        caption="Descent on the nuclear norm alone, one trial: each singular value falls by one step per update, "
        "independently of the others, and then oscillates below it; multiples of the step become zero.",
    )


def judge_step(data, learning_rate, strength, power) -> Evidence:
    r"""Singular values from update to update, and when the largest is within the step, for a step of $\alpha\beta_*^p$."""
    step = strength ** (power - 1)  # in units of learning rate x strength, as all lengths here
    size, span = abs(data.along), abs(np.log(strength)).max()
    within = size.max("k") < step * (1 - ROUNDING)
    return Evidence(
        sound=[at_least(r"$|\log\beta_*|$, maximum", span, 0.5, key="span", why=r"at $\beta_*=1$ both forms agree")],
        holds=[
            law(size, r"\mathrm{step}", step),
            at_most(
                r"updates until $\sigma_{\max}$ is below the step minus $\lfloor\sigma_{\max}/\mathrm{step}\rfloor$, maximum",
                abs(within.argmax("t") - np.floor(data.ratio.max("k") / step)).max(),
                0,
                key="count",
                why="an exact count; none is nearer to a multiple than 0.05 steps",
            ),
        ],
    )


def draw_step(data, learning_rate, strength) -> Drawing:
    """The largest singular value of one trial at every strength, beside both laws."""
    panels, y = [], Axis(r"singular value / $\alpha$", low=0.0)
    for at, beta in enumerate(map(float, strength)):
        sizes = abs(data.isel(trial=0, learning_rate=0, whole=0, strength=at).along).max("k").values * beta
        printed = [sizes[0]]
        while len(printed) < sizes.size:
            printed.append(abs(printed[-1] - 1.0))
        x = np.arange(sizes.size)
        marks = [Line(r"$\sigma_{\max}$", x, sizes), Line("as printed", x, printed, role="control")]
        panels.append(Panel(marks, Axis("updates"), y, title=rf"$\beta_*$ = {beta:g}"))
    caption = r"Descent on the nuclear norm alone. An update lowers singular values by $\alpha\beta_*$; printed is $\alpha$."
    return Drawing(panels, caption=caption)


descent = partial(Claim, simulation=SIMULATION, seconds={"quick": 8, "paper": 60})
CLAIMS = (
    descent(
        id="beyond_l2/theorem_d_12",
        kind="theorem",
        title="Nuclear-norm descent shrinks each singular value independently",
        says=r"Under $A\leftarrow A-\alpha UV^\top$ singular vectors stay, up to signs, and $\sigma$ goes to $|\sigma-\alpha|$: "
        r"$\sigma_{\max}<\alpha$ after $\lfloor\sigma_{\max}/\alpha\rfloor$ updates, not before; multiples of $\alpha$ vanish.",
        source="beyond_l2, theorem D.12",
        judge=judge_walk,
        draw=draw_walk,
        constants={"fraction": 1.0},
        controls=[Control("half as many updates", changes={"fraction": 0.5}, breaks=("after",))],
    ),
    descent(
        id="beyond_l2/d_12_step",
        kind="erratum",
        title="The step is learning rate times strength",
        says=r"Without a data gradient the penalty takes $\sigma$ to $|\sigma-\alpha\beta_*|$; printed is $|\sigma-\alpha|$.",
        source="beyond_l2, theorem 2.2",
        judge=judge_step,
        draw=draw_step,
        constants={"power": 1},
        controls=[Control(r"$|\sigma-\alpha|$, as printed", changes={"power": 0}, breaks=("law", "count"))],
    ),
)
