r"""Plain gradient flow of a diagonal net with its integrated residual $s = \int r\,dt$, the dual variable of its solution."""

from typing import Any, ClassVar

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp

from ....dynamics import GradientFlow
from ....dynamics.forms import AbstractForm, PlainForm
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.diagonal_regression import make_problem as make_plain
from ....losses import Squared
from ....models import DiagonalNet
from ....objective import Objective
from ....problems import Split
from ....types import Array, Float, Scalar

# Weights are followed one by one: nothing here knows of the reduction that the integral is to be compared with.
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-10, atol=1e-12)


class Followed(eqx.Module):
    r"""A net during training and $s(t) = \int_0^t(X\beta - y)$."""

    net: DiagonalNet
    integral: Float[Array, " n"]


class IntegratedForm(AbstractForm):
    r"""$\dot\theta = -c\nabla\mathcal L(\theta)$ with $\dot s = r$: the flow of $c\,\mathcal L$ and what it integrates."""

    stiff: ClassVar[bool] = False

    plain: PlainForm
    weight: Scalar
    how: str = eqx.field(static=True, default="plain flow of the parameters and of the integrated residual")

    def state(self):
        """The parameters, and zero."""
        return self.plain.state(), jnp.zeros(self.plain.objective.data.n)

    def clock(self, times):
        """Time."""
        return times

    def time(self, clock):
        """Time."""
        return clock

    def field(self, clock, state, args):
        """Minus the gradient, and the residual."""
        objective = self.plain.objective
        moved = jax.tree.map(lambda part: self.weight * part, self.plain.field(clock, state[0], args))
        return moved, objective.outputs(self.plain.model(clock, state[0])) - objective.data.y

    def model(self, clock, state) -> Followed:
        """The net and the integral."""
        return Followed(self.plain.model(clock, state[0]), state[1])

    def amplification(self, clock, state):
        """One: the state is the model."""
        return jnp.ones(())

    def certificates(self, clock, state) -> dict[str, Any]:
        """None: what the integral implies for the weights is to be checked."""
        return {}


def make_problem(key, n, d, sparsity, noise) -> Split:
    """Sparse recovery with the labels divided by their root mean square."""
    train = make_plain(key, n=n, d=d, sparsity=sparsity, noise=noise).train
    return Split(train.x, train.y / jnp.linalg.norm(train.y) * n**0.5)


def pace(alpha, depth: int):
    r"""$\dot\nu = -\mathrm{pace}\cdot r$ for the summed loss: 8, or $2D(D-2)\alpha^{D-2}$."""
    return jnp.asarray(8.0) if depth == 2 else 2 * depth * (depth - 2) * alpha ** (depth - 2)


def escape(train: Split, alpha, depth: int):
    r"""$\ln(1/\alpha^2)/(8\|X^\top y\|_\infty)$, or $\alpha^{2-D}/(2D(D-2)\|X^\top y\|_\infty)$: when a net leaves zero."""
    force = jnp.max(jnp.abs(train.y @ train.x))
    return (jnp.log(alpha**-2.0) if depth == 2 else 1.0) / (pace(alpha, depth) * force)


def conjugate(price, depth: int):
    r"""$q_D^*(p)$: $4\sinh^2(p/2)$, or $\frac{D-2}2[(1-p)^{-2/(D-2)} + (1+p)^{-2/(D-2)} - 2]$."""
    if depth == 2:
        return 4 * jnp.sinh(price / 2) ** 2
    power = 2 / (depth - 2)
    return ((1 - price) ** -power + (1 + price) ** -power - 2) / power


def simulate(key, problem, *, depth, alpha, weight, horizon, moments):
    r"""The map, prices $X^\top\nu$ with $\nu = -\mathrm{pace}\,s$, the dual $g(\nu)$ and the loss along the flow."""
    init = DiagonalNet.at_scale(alpha, dim=problem.d, depth=depth)
    objective = Objective(problem, Squared(), reduction="sum")
    unit = escape(problem, jnp.minimum(alpha, 0.5), depth) / weight
    times = jnp.concatenate([jnp.zeros(1), jnp.geomspace(0.03 * unit, horizon * unit, moments - 1)])
    form = IntegratedForm(plain=PlainForm(objective=objective, init=init), weight=jnp.asarray(weight, float))
    read = {"effective": lambda at: at.net.effective(), "integral": lambda at: at.integral, "loss": lambda at: objective(at.net)}
    path = FLOW.follow(form, FLOW.solver, times, read)  # pyright: ignore[reportArgumentType]
    nu = -pace(alpha, depth) * path.reads["integral"]
    price = nu @ problem.x
    return {
        "time": times / unit,
        "clock": pace(alpha, depth) * weight * times,
        "effective": path.reads["effective"],
        "price": price,
        "dual": nu @ problem.y - alpha**depth * jnp.sum(conjugate(price, depth), axis=1),
        "loss": path.reads["loss"] / objective(init),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("scale", (1e-3, 0.03, 1.0), smoke=(0.1, 1.0), low=1e-8, high=30.0, unit=r"$\alpha^D$"),
        Param("depth", (2, 3), (2, 3, 4, 5), smoke=(3,), low=2, high=8, unit="layers", static=True),
        Param("alpha", "=scale**(1/depth)", low=1e-4, high=30.0, unit="initial weights"),
        Param("weight", (1.0,), low=0.1, high=10.0, unit="factor on the loss"),
        Param("horizon", 100.0, smoke=20.0, low=1.0, high=1e4, unit="escape times"),
        Param("moments", 40, smoke=10, low=5, high=1_000, unit="recorded times", static=True),
        Param("n", 5, 15, smoke=3, low=1, high=500, unit="samples", static=True),
        Param("d", 16, 50, smoke=8, low=2, high=2_000, unit="dimension", static=True),
        Param("sparsity", 2, 3, low=1, high=100, unit="nonzeros of the ground truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
    ],
    returns={
        **dict.fromkeys(("time", "clock", "dual", "loss"), "t"),
        **dict.fromkeys(("effective", "price"), "t d"),
        **dict.fromkeys(("outcome", "steps"), ""),
    },
)
