r"""Data collapse: at fixed weight decay every curve depends on the scale only through $\lambda t - \log\alpha$."""

import jax.numpy as jnp
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Line, Panel, Points, Rule
from ...claims.labelled import spread
from ...claims.marks import log_axis
from ...events import first_above
from ...lab import Param, Simulation
from ...lab.simulations.diagonal_classification import CURVES, advance, begin, make_problem
from ...losses import Logistic
from ...measures import Curve


def simulate(key, problem, *, d, depth, alpha, weight_decay, before, after, moments):
    r"""Test accuracy against $\lambda t - \log\alpha$, and when it reaches 90%."""
    clock = jnp.linspace(before, after, moments)
    times = jnp.concatenate([jnp.zeros(1), (jnp.log(alpha) + clock) / weight_decay])
    init = begin(d, alpha=alpha, convention="per_coordinate", depth=depth)
    read = {"test": lambda net: problem.law.accuracy(net.effective())}
    path = advance(problem, init, times, weight_decay=weight_decay, loss=Logistic(), read=read, flow=CURVES)
    test = path.reads["test"][1:]
    return {
        "clock": clock,
        "test": test,
        "t90": first_above(Curve(times[1:], test, "test accuracy"), 0.9).value,
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SCALES = (16.0, 64.0, 256.0, 1024.0, 4096.0)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("alpha", SCALES, smoke=(16.0, 64.0), low=8.0, high=1e8, unit="initialization scale, per weight"),
        Param("depth", (2, 3), smoke=(2,), low=2, high=6, static=True),
        Param("weight_decay", (1e-3, 1e-2), smoke=(1e-2,), low=1e-6, high=0.05, unit="weight decay"),
        Param("n", 96, 192, smoke=24, low=8, high=4_096, unit="samples", static=True),
        Param("d", 500, 5_000, smoke=50, low=10, high=100_000, unit="dimensions", static=True),
        Param("sparsity", 3, low=1, high=9, unit="relevant inputs, odd", static=True),
        Param("before", -2.0, low=-2.0, high=0.0, unit=r"first $\lambda t - \log\alpha$"),
        Param("after", 5.0, low=1.0, high=20.0, unit=r"last $\lambda t - \log\alpha$"),
        Param("moments", 141, low=30, high=5_000, unit="times on the curve", static=True),
    ],
    returns={"clock": "t", "test": "t", "t90": "", "outcome": "", "steps": ""},
)


def judge(data, alpha, weight_decay, power) -> Evidence:
    """The time of 90% test accuracy minus the logarithm of the scale, and the whole curve: the same for all scales."""
    offset = weight_decay * data.t90 - power * np.log(alpha)
    reached, curve = (data.t90 < np.inf).all("alpha"), spread(data.test, "alpha").max()
    why = "a trial with too few samples for the sparse rule has no such time; most must have one"
    return Evidence(
        sound=[at_least("fraction of trials that reach 90% at every scale", reached.mean(), 0.5, key="reached", why=why)],
        holds=[
            at_most(
                r"range of $\lambda t_{90} - \log\alpha$ over the scales",
                spread(offset, "alpha").where(reached).max(),
                1e-2,
                key="time",
                why=r"the kernel regime forgets its initialization like $\alpha^{-2}$: below 4e-3 at the smallest scale, 16",
            ),
            at_most("range of the whole curve over the scales", curve, 1e-2, key="curve", why="the same, on slopes of order 1"),
        ],
    )


def draw(data, alpha, weight_decay) -> Drawing:
    """One trial: the curves coincide on the shifted time axis; and the offsets of all trials."""
    one = data.isel(trial=0, depth=0, weight_decay=0)
    middle = (weight_decay * data.t90 - np.log(alpha)).median("trial")
    lines = [Line(rf"$\alpha = {a:g}$", one.clock.sel(alpha=a).values, one.test.sel(alpha=a).values) for a in alpha.values]
    points = [
        Points(rf"depth {int(k)}, $\lambda = {float(value):g}$", alpha.values, middle.sel(depth=k, weight_decay=value).values)
        for k in data.depth.values
        for value in data.weight_decay.values
    ]
    zero, offset = Rule(r"$\log(\alpha)/\lambda$ itself", 0.0), Axis(r"$\lambda t_{90} - \log\alpha$")
    return Drawing(
        [
            Panel(lines, Axis(r"$\lambda t - \log\alpha$"), Axis("test accuracy"), title="One curve for all scales"),
            Panel([*points, zero], log_axis(r"$\alpha$"), offset, title="The offset is constant"),
        ],
        caption=r"Left: the curves of all scales coincide against time in units of $1/\lambda$, shifted by $\log\alpha$. After "
        r"the first transient the flow depends on the initialization scale through $\alpha e^{-\lambda t}$ alone.",
    )


CLAIM = Claim(
    id="lyu2024/data_collapse",
    kind="derived",
    title="All initialization scales collapse onto one curve",
    says=r"At fixed weight decay and large $\alpha$, once the data are fitted, every observable depends on time and scale only "
    r"through $\lambda t - \log\alpha$, for any homogeneous model: the time of the transition shifts by $\log(\alpha)/\lambda$ "
    "and its width does not change.",
    source="lyu2024, section 3 (theorems 3.4 and 3.5 sharpened)",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": 1.0},
    least={"alpha": 2},
    controls=[Control(r"a shift of $1.05\log\alpha$", changes={"power": 1.05}, breaks=("time",))],
    seconds={"quick": 12, "paper": 80},
)
