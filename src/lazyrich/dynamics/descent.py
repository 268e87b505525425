"""Gradient descent."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..models import require_movable
from ..numerics.values import concrete
from ..objective import Objective
from .base import AbstractDynamics, Read, Stop, moments, readings, unpack
from .trajectory import Outcome, Trajectory


class GradientDescent(AbstractDynamics):
    r"""$\theta\leftarrow\theta - \text{rate}\cdot\nabla\mathcal L(\theta)$, all penalties included in the gradient.

    The moments are step counts. A stopping rule is looked at on the recorded steps only.
    """

    rate: Any

    def __check_init__(self):
        """The rate is positive."""
        rate = concrete(self.rate)
        if rate is not None and not rate > 0:
            raise BadInput(
                needed="GradientDescent needs a rate > 0", given=f"{rate}", cure="Use for example rate=0.01."
            )

    def run(
        self, objective: Objective, start: Any, when: Any, read: Read | None = None, stop: Stop | None = None
    ) -> Trajectory:
        """Descend and read the model after the step counts `when`."""
        require_movable(start, "GradientDescent")
        counts = moments(when, "GradientDescent", whole=True).astype(int)
        arrays, rest = eqx.partition(start, eqx.is_inexact_array)

        def step(_, state):
            slope = jax.grad(lambda part: objective(eqx.combine(part, rest)))(state)
            return jax.tree.map(lambda part, move: part - self.rate * move, state, slope)

        def segment(carry, steps):
            state, done, taken = carry
            state = jax.lax.fori_loop(0, jnp.where(done, 0, steps), step, state)
            taken = jnp.where(done, taken, taken + steps)
            model = eqx.combine(state, rest)
            done = done | (jnp.asarray(False) if stop is None else jnp.asarray(stop(model)))
            return (state, done, taken), (readings(read, model), done)

        steps = jnp.diff(counts, prepend=counts[:1])
        (state, _, taken), (records, done) = jax.lax.scan(segment, (arrays, jnp.asarray(False), counts[0]), steps)
        end = eqx.combine(state, rest)
        finite = jnp.stack([jnp.all(jnp.isfinite(part)) for part in jax.tree.leaves(state)]).all()
        early = done[:-1].any()
        code = jnp.where(finite, jnp.where(early, Outcome.STOPPED, Outcome.END), Outcome.NOT_FINITE)
        models, reads = unpack(read, records, end)
        return Trajectory(
            counts.astype(float), models, reads, end, Outcome(code, taken.astype(float), taken, "gradient descent")
        )
