r"""The kernel regime of classification, moment by moment: how far a net has turned, its margins and its force."""

import diffrax as dfx
import jax
import jax.numpy as jnp

from ....dynamics import GradientFlow
from ....dynamics.directed import DirectedForm, Turned
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.diagonal_classification import make_separated
from ....models import DiagonalNet, tangent
from ....problems import Split

# The outputs relax at a rate of n times their size: stability, not accuracy, sets the steps of an explicit method.
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-8, atol=1e-10, max_steps=1_000_000)


def follow(init, data: Split, *, log_alpha, log_weight_decay, slow, read):
    r"""The flow of any homogeneous model of zero output from $\alpha\bar\theta$, at times `slow` over the weight decay."""
    size, rate = (jnp.asarray(part, float) for part in (log_alpha, log_weight_decay))
    form = DirectedForm(data=data, init=init, log_alpha=size, log_weight_decay=rate)
    return FLOW.follow(form, FLOW.solver, jnp.exp(jnp.log(slow) - log_weight_decay), read)  # pyright: ignore[reportArgumentType]


def readings(data: Split) -> dict:
    r"""What the lemmas are about, for a net along the flow.

    `h` and $|\delta|$; margins $q_i$, and those of the linearized net, $\langle\nabla q_i(\bar\theta), h\rangle$; the force
    $\sum_ip_i\nabla q_i(\bar\theta+\delta)$ with $p_i\propto e^{-q_i}$: its length and its part along $h$; and how much the
    gradients have turned, the largest $\|\nabla f_i(\bar\theta + \delta) - \nabla f_i(\bar\theta)\|$.
    """

    def force(now: Turned):
        return tangent.combined(now.at(1.0), data.x, data.y * jax.nn.softmax(-data.y * now.outputs(data.x)))

    def turn(now: Turned):
        apart = tangent.features(now.at(1.0), data.x) - tangent.features(now.init, data.x)
        return jnp.max(jnp.linalg.norm(apart, axis=-1))

    return {
        "h": lambda now: now.h,
        "moved": lambda now: jnp.linalg.norm(now.delta),
        "margins": lambda now: data.y * now.outputs(data.x),
        "linear": lambda now: data.y * tangent.along(now.init, data.x, now.h),
        "force": lambda now: jnp.linalg.norm(force(now)),
        "along": lambda now: force(now) @ now.h / jnp.where(jnp.any(now.h != 0), jnp.linalg.norm(now.h), 1.0),
        "turn": turn,
    }


def moments(log_alpha, depth: int, power, early: int, late: int):
    r"""Slow times $\lambda t$: 0, then evenly in the logarithm from $1/A$ to 0.1, then evenly to $\log\alpha$.

    The last four units have twice as many as all before: there the regime ends.
    """
    first = jnp.exp(jnp.linspace(-(2 * (depth - 1) + power) * log_alpha, jnp.log(0.1), early))
    middle = jnp.linspace(0.1, log_alpha - 4, late)[1:]
    return jnp.concatenate([jnp.zeros(1), first, middle, log_alpha - 4 + jnp.linspace(0, 4, 2 * late + 1)[1:]])


def simulate(key, problem, *, d, depth, log_alpha, power, early, late):
    r"""A diagonal net with every weight at $\alpha$ and $\lambda = \alpha^{-p}$, until $\log\alpha/\lambda$."""
    slow = moments(log_alpha, depth, power, early, late)
    path = follow(
        DiagonalNet.at_scale(1.0, dim=d, depth=depth),
        problem.train,
        log_alpha=log_alpha,
        log_weight_decay=-power * log_alpha,
        slow=slow,
        read=readings(problem.train),
    )
    return {"slow": slow, **path.reads, "outcome": path.outcome.code, "steps": path.outcome.steps}


SIMULATION = Simulation(
    simulate,
    make_problem=make_separated,
    params=[
        Param("log_alpha", (8.0, 16.0), (8.0, 16.0, 32.0), smoke=(6.0, 8.0), low=5.0, high=64.0, unit=r"$\log\alpha$"),
        Param("depth", (2, 3), (2, 3, 4), smoke=(2,), low=2, high=5, unit="degree $D$", static=True),
        Param("power", (1.0, 2.0), smoke=(1.0,), low=0.5, high=2.0, unit=r"$p$ in $\lambda = \alpha^{-p}$"),
        Param("early", 10, smoke=4, low=2, high=100, unit=r"times before $\lambda t = 0.1$", static=True),
        Param("late", 9, smoke=5, low=3, high=100, unit="a third of the times after", static=True),
        Param("n", 8, low=2, high=100, unit="samples", static=True),
        Param("d", 32, smoke=16, low=5, high=1_000, unit="dimensions", static=True),
        Param("gap", 2.0, low=0.0, high=100.0, unit=r"class separation, in $\sigma$", static=True),
    ],
    returns={
        **dict.fromkeys(("slow", "moved", "force", "along", "turn"), "t"),
        "h": "t p",
        **dict.fromkeys(("margins", "linear"), "t n"),
        **dict.fromkeys(("outcome", "steps"), ""),
    },
)
