"""All weights of a linear network on inputs of less than full rank: the frozen component, and balanced initializations."""

from functools import partial

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Drawing, Line, Panel, Points, Rule
from ...claims.labelled import spread
from ...claims.marks import log_axis, one_panel
from ...dynamics import GradientFlow
from ...inits import balanced
from ...lab import Param, Simulation
from ...losses import Squared
from ...models import LinearNet
from ...numerics.imbalance import difference
from ...objective import Objective
from ...problems import Split
from ...regularizers import L2
from .shared.convergence import LOSS
from .shared.marks import TIME, seeds

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-10, atol=1e-13, reduce=None)


def make_problem(key, n, d, rank, outputs) -> Split:
    """Inputs of this rank with unit singular values, and targets that no linear map fits."""
    left, right, targets = jr.split(jr.fold_in(key, 0), 3)
    frames = [jnp.linalg.qr(jr.normal(one, (size, rank)))[0] for one, size in ((left, n), (right, d))]
    return Split(frames[0] @ frames[1].T, jr.normal(targets, (n, outputs)))


def printed(key, problem: Split, effective, width: int) -> LinearNet:
    r"""$U = \Theta M^{-1/4}Q^\top$, $V = M^{1/4}Q^\top$ with $M = \Theta^\top\Phi_1\Phi_1^\top\Theta$, as printed."""
    seen = problem.x @ effective  # unit singular values: the norms of X Theta are those of the seen part
    values, turn = jnp.linalg.eigh(seen.T @ seen)
    root = jnp.sqrt(jnp.sqrt(values))
    frame = jnp.linalg.qr(jr.normal(key, (width, effective.shape[1])))[0]
    return LinearNet(u=effective @ (turn / root) @ turn.T @ frame.T, v=(turn * root) @ turn.T @ frame.T)


def simulate(key, problem, *, rank, outputs, width, imbalance, weight_decay, until, moments):
    """Loss, excess loss, drift of $U_2$ and imbalance along the flows from two balanced initializations of one product."""
    d = problem.x.shape[1]
    wide = jr.normal(jr.fold_in(key, 1), (2, max(d, outputs), width)) / jnp.sqrt(width)
    effective = wide[0, :d] @ wide[1, :outputs].T
    first = balanced(jr.fold_in(key, 2), effective, width=width, imbalance=jnp.asarray(imbalance), x=problem.x)
    second = printed(jr.fold_in(key, 3), problem, effective, width)
    objective = Objective(problem, Squared(), reduction="half_sum", penalties=[(L2(), weight_decay)])
    left, _, right = jnp.linalg.svd(problem.x, full_matrices=False)
    w, frame = left[:, :rank], right[:rank]
    minimum = jnp.sum((problem.y - w @ (w.T @ problem.y)) ** 2) / 2

    def outside(net):
        return net.u - frame.T @ (frame @ net.u)

    def loss(net):
        return jnp.sum((problem.y - problem.x @ net.effective()) ** 2) / 2

    def run(init):
        rest = outside(init)
        read = {
            "loss": loss,
            "excess": lambda net: jnp.sum((w.T @ (problem.y - problem.x @ net.effective())) ** 2) / 2,
            "moved": lambda net: jnp.linalg.norm(outside(net) - rest) / jnp.linalg.norm(rest),
            "imbalance_size": lambda net: jnp.linalg.norm(difference(frame @ net.u, net.v)) / jnp.sum(net.v**2),
            "error": lambda net: jnp.linalg.norm(net.effective() - effective) / jnp.linalg.norm(effective),
        }
        path = FLOW.run(objective, init, jnp.linspace(0.0, until, moments), read=read)
        return path.reads, path.outcome.code

    reads, codes = jax.vmap(run)(jax.tree.map(lambda *parts: jnp.stack(parts), first, second))
    return {"time": jnp.linspace(0.0, until, moments), **reads, "minimum": minimum, "outcome": codes.max()}


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("n", 8, 40, smoke=5, low=2, high=500, unit="samples", static=True),
        Param("d", 10, 60, smoke=6, low=2, high=500, unit="inputs", static=True),
        Param("rank", 5, 20, smoke=3, low=1, high=500, unit="rank of the inputs", static=True),
        Param("outputs", 3, 5, smoke=2, low=1, high=100, static=True),
        Param("width", 7, 40, smoke=4, low=1, high=1_000, unit="hidden units", static=True),
        Param("imbalance", 0.0, low=-10.0, high=10.0, unit="imbalance of the first of two initializations"),
        Param("weight_decay", 0.0, low=0.0, high=10.0, unit="strength of $L_2$ regularization"),
        Param("until", 8.0, low=0.1, high=1e3, unit="time"),
        Param("moments", 21, 101, smoke=5, low=3, high=1_000, unit="saved times", static=True),
    ],
    returns={
        "time": "t",
        **dict.fromkeys(("loss", "excess", "moved", "imbalance_size", "error"), "q t"),
        "minimum": "",
        "outcome": "",
    },
)


def judge_frozen(data) -> Evidence:
    """How far $U_2$ moves, and the loss minus excess loss and minimum."""
    decades = np.log10(data.minimum / data.loss.isel(t=0))
    span = "every gradient is in the span of the inputs, up to rounding error of a few hundred steps"
    positive = "more samples than the rank of the inputs: otherwise $L^* = 0$"
    return Evidence(
        sound=[at_least(r"$\log_{10}(L^*/L(0))$, minimum", decades.min(), -3, key="minimum", why=positive)],
        holds=[
            at_most("relative drift of $U_2$, maximum", data.moved.max(), 1e-12, key="frozen", why=span),
            at_most(
                r"$L - \frac{1}{2}\|E\|_F^2 - L^*$, relative to $L$, maximum",
                (abs(data.loss - data.excess - data.minimum) / data.loss).max(),
                1e-12,
                key="loss",
                why="Pythagoras in the space of samples, up to rounding error",
            ),
        ],
    )


def draw_frozen(data) -> Drawing:
    """The loss with its minimum, and the drift of $U_2$."""
    one = data.isel(trial=0, q=0)
    loss = [
        Line("loss $L$", one.time, one.loss),
        Line(r"excess loss $\frac{1}{2}\|E\|_F^2$", one.time, one.excess, role="second"),
        Rule("minimum $L^*$", float(one.minimum)),
    ]
    moved = seeds(one.time[1:], data.moved.isel(q=0)[..., 1:] + 1e-18)
    return Drawing(
        [
            Panel(loss, TIME, log_axis("loss"), title="Loss, excess loss and minimum"),
            Panel(moved, TIME, log_axis("relative drift of $U_2$", high=1e-10), title="$U_2$ is frozen"),
        ],
        caption="Inputs of rank smaller than the numbers of samples and dimensions. The gradient of the first layer is in the "
        "span of the inputs; the component outside it is constant up to rounding error.",
    )


def judge_balanced(data) -> Evidence:
    """Imbalance and product at initialization, the imbalance later, and both losses."""
    first, size = data.isel(t=0), r"imbalance over $\|V\|_F^2$"
    apart = spread(data.loss, "q") / data.loss.max("q")
    built = "balanced by construction, up to rounding error of fourth roots of eigenvalues within a factor of 1e4"
    solver = "up to the error of the solver at a relative tolerance of 1e-10"
    turned = f"rotations of the hidden layer commute with gradient flow, {solver}"
    return Evidence(
        sound=[
            at_least(
                "relative decrease of the loss between the first two times, minimum",
                (1 - data.loss.isel(t=1) / data.loss.isel(t=0)).min(),
                1e-3,
                key="decrease",
                why="two constant losses would agree trivially",
            )
        ],
        holds=[
            at_most(f"{name}, maximum", value.max(), bound, key=key, why=why)
            for key, name, value, bound, why in (
                ("initial", f"initial {size}", first.imbalance_size, 1e-10, built),
                ("product", r"initial product, relative distance to $\Theta$", first.error, 1e-10, built),
                ("conserved", f"{size} at all times", data.imbalance_size, 1e-8, f"conserved, {solver}"),
                ("losses", "relative difference of the losses for two matrices $Q$", apart, 1e-8, turned),
            )
        ],
    )


def draw_balanced(data) -> Drawing:
    """Both losses of one trial."""
    one = data.isel(trial=0)
    excess = one.excess / one.excess.isel(t=0)
    marks = [
        Line("from the SVD, one $Q$", one.time, excess.isel(q=0)),
        Points("as printed, another $Q$", one.time, excess.isel(q=1), role="second"),
    ]
    caption = "Two balanced initializations of the same product, from two formulas and with two random $Q$: one loss."
    return one_panel(marks, TIME, LOSS, caption)


statement = partial(Claim, kind="statement", simulation=SIMULATION, seconds={"quick": 10, "paper": 60})
CLAIMS = (
    statement(
        id="min2021/frozen_part",
        title="Gradient flow does not move the first layer outside the span of the inputs",
        says=r"Along gradient flow the component $U_2 = \Phi_2^\top U$ of the first layer outside the span of the inputs is "
        r"constant, and $L = \frac{1}{2}\|E\|_F^2 + L^*$ with the minimum $L^* = \frac{1}{2}\|(I - WW^\top)Y\|_F^2$.",
        source="min2021, equations 7 and 8",
        judge=judge_frozen,
        draw=draw_frozen,
        controls=[Control("weight decay", changes={"weight_decay": 0.05}, breaks=("frozen",))],
    ),
    statement(
        id="min2021/balanced_start",
        title="A balanced initialization of any product, with any hidden rotation",
        says=r"With $M = \Theta^\top\Phi_1\Phi_1^\top\Theta$ invertible and any $Q$ with orthonormal columns, $U = \Theta "
        r"M^{-1/4}Q^\top$ and $V = M^{1/4}Q^\top$ have the product $\Theta$ and no imbalance; the loss along the flow is the "
        "same for all $Q$.",
        source="min2021, section 5.2",
        judge=judge_balanced,
        draw=draw_balanced,
        controls=[Control("an imbalance of 1 in one of the two", changes={"imbalance": 1.0}, breaks=("initial", "losses"))],
    ),
)
