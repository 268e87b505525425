r"""The kernel phase of classification, moment by moment: how far a net has turned, its margins and its force."""

import diffrax as dfx
import jax
import jax.numpy as jnp

from ...dynamics import GradientFlow
from ...dynamics.directed import DirectedForm, Turned
from ...models import DiagonalNet, tangent
from ...problems import Split
from ..params import Param
from ..simulation import Simulation
from .diagonal_classification import pose_apart

# The outputs relax at a rate of n times their size: stability, not accuracy, sets the steps of an explicit method.
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-8, atol=1e-10, max_steps=1_000_000)


def follow(start, data: Split, *, log_alpha, log_decay, slow, read):
    r"""The flow of any homogeneous model of zero output from $\alpha\bar\theta$, at times `slow` over the decay."""
    size, rate = (jnp.asarray(part, float) for part in (log_alpha, log_decay))
    form = DirectedForm(data=data, start=start, log_alpha=size, log_decay=rate)
    return FLOW.follow(form, FLOW.solver, jnp.exp(jnp.log(slow) - log_decay), read)  # pyright: ignore[reportArgumentType]


def readings(data: Split) -> dict:
    r"""What the lemmas speak of, of a net on its way.

    `h` and $|\delta|$; margins $q_i$, and those of the linearized net, $\langle\nabla q_i(\bar\theta), h\rangle$; the force
    $\sum_ip_i\nabla q_i(\bar\theta+\delta)$ with $p_i\propto e^{-q_i}$: its length and its part along $h$; and how much the
    gradients have turned, the largest $\|\nabla f_i(\bar\theta + \delta) - \nabla f_i(\bar\theta)\|$.
    """

    def force(now: Turned):
        return tangent.combined(now.at(1.0), data.x, data.y * jax.nn.softmax(-data.y * now.outputs(data.x)))

    def turn(now: Turned):
        apart = tangent.features(now.at(1.0), data.x) - tangent.features(now.start, data.x)
        return jnp.max(jnp.linalg.norm(apart, axis=-1))

    return {
        "h": lambda now: now.h,
        "moved": lambda now: jnp.linalg.norm(now.delta),
        "margins": lambda now: data.y * now.outputs(data.x),
        "linear": lambda now: data.y * tangent.along(now.start, data.x, now.h),
        "force": lambda now: jnp.linalg.norm(force(now)),
        "along": lambda now: force(now) @ now.h / jnp.where(jnp.any(now.h != 0), jnp.linalg.norm(now.h), 1.0),
        "turn": turn,
    }


def moments(log_alpha, depth: int, power, early: int, late: int):
    r"""Slow times $\lambda t$: 0, then evenly in the logarithm from $1/A$ to 0.1, then evenly to $\log\alpha$.

    The last four units have twice as many as all before: there the phase ends.
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
        log_decay=-power * log_alpha,
        slow=slow,
        read=readings(problem.train),
    )
    return {"slow": slow, **path.reads, "outcome": path.outcome.code, "steps": path.outcome.steps}


SIMULATION = Simulation(
    simulate,
    pose=pose_apart,
    params=[
        Param(
            "log_alpha",
            (8.0, 16.0),
            (8.0, 16.0, 32.0),
            smoke=(6.0, 8.0),
            low=5.0,
            high=64.0,
            unit="log of every weight at the start",
        ),
        Param("depth", (2, 3), (2, 3, 4), smoke=(2,), low=2, high=5, unit="degree", static=True),
        Param("power", (1.0, 2.0), smoke=(1.0,), low=0.5, high=2.0, unit="decay = alpha^-power"),
        Param("early", 10, smoke=4, low=2, high=100, unit="times before 0.1/decay", static=True),
        Param("late", 9, smoke=5, low=3, high=100, unit="times after, thrice", static=True),
        Param("n", 8, low=2, high=100, unit="samples", static=True),
        Param("d", 32, smoke=16, low=5, high=1_000, unit="unknowns", static=True),
        Param("gap", 2.0, low=0.0, high=100.0, unit="between the classes, in deviations", static=True),
    ],
    returns={
        **dict.fromkeys(("slow", "moved", "force", "along", "turn"), "t"),
        "h": "t p",
        **dict.fromkeys(("margins", "linear"), "t n"),
        **dict.fromkeys(("outcome", "steps"), ""),
    },
)
