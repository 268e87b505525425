r"""The flow of any homogeneous model under weight decay, as the motion of its direction away from the initialization's."""

from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from ..models import outputs, tangent
from ..numerics.stable import log_expm1
from ..problems import Split
from ..types import Array, Float, Scalar
from .forms import AbstractForm


class Turned(eqx.Module):
    r"""A homogeneous model at $\rho(\bar\theta + \delta)$, $\log\rho$ = `log_scale`, kept as $h = \rho^D\delta$.

    The size $\rho$ is what decay alone leaves of the initialization, $\delta$ how far the direction has turned, and $h$ what the
    linearized model sees: $f\approx\langle\nabla f_{\bar\theta}, h\rangle$, of moderate size however large the scale.
    """

    init: Any
    h: Float[Array, " p"]
    log_scale: Scalar

    @property
    def delta(self) -> Float[Array, " p"]:
        r"""$e^{\lambda t}\theta/\alpha - \bar\theta = h\rho^{-D}$."""
        return self.h * jnp.exp(-self.init.degree * self.log_scale)

    def at(self, share) -> Any:
        r"""The model at $\bar\theta + s\delta$."""
        flat, build = ravel_pytree(eqx.filter(self.init, eqx.is_inexact_array))
        return eqx.combine(build(flat + share * self.delta), self.init)

    def outputs(self, x: Float[Array, "n ..."]) -> Float[Array, " n"]:
        r"""$f(x_i) = \int_0^1\langle\nabla f_{\bar\theta + s\delta}(x_i), h\rangle\,ds$: exact by few nodes for polynomials.

        Nothing cancels, so that a $\delta$ of $10^{-100}$ is as good as one of 1. Assumes: zero output at initialization.
        """
        nodes, weights = np.polynomial.legendre.leggauss((self.init.degree + 1) // 2)
        parts = [w * tangent.along(self.at((1 + s) / 2), x, self.h) for s, w in zip(nodes, weights, strict=True)]
        return sum(parts[1:], parts[0]) / 2


class DirectedForm(AbstractForm):
    r"""$\dot h = \rho^{2(D-1)}\frac1n\sum_i e^{-q_i}\nabla q_i(\bar\theta + \delta) - D\lambda h$, for any homogeneous model.

    The flow of the mean exponential loss with weight decay from $\alpha\bar\theta$ where $f_{\bar\theta} = 0$, with
    $\rho = \alpha e^{-\lambda t}$ and margins $q_i = y_if(x_i)$. The clock is logarithmic, and every large number meets its
    small partner inside an exponent: $\alpha = e^{64}$ is no harder than 10. Assumes: outputs that are polynomials of the
    parameters, or nearly so along the way. Source: lyu2024, equation 19.
    """

    stiff: ClassVar[bool] = False

    data: Split
    init: Any
    log_alpha: Scalar
    log_weight_decay: Scalar
    how: str = eqx.field(static=True, default="flow of the direction of a homogeneous model")

    def state(self) -> Float[Array, " p"]:
        """Zero: the direction is that of the initialization."""
        return jnp.zeros_like(ravel_pytree(eqx.filter(self.init, eqx.is_inexact_array))[0])

    def clock(self, times):
        r"""$s = \log(1 + t/t_0)$."""
        return jax.nn.softplus(jnp.log(times) - self._log_unit())

    def time(self, clock):
        r"""$t = t_0(e^s - 1)$."""
        return jnp.exp(self._log_unit() + log_expm1(clock))

    def model(self, clock, state) -> Turned:
        """The model, by its turn and its size."""
        return Turned(self.init, state, self.log_alpha - jnp.exp(self.log_weight_decay) * self.time(clock))

    def field(self, clock, state, args):
        r"""$dh/ds$."""
        now, log_pace, degree = self.model(clock, state), self._log_unit() + clock, self.init.degree
        log_force = log_pace + 2 * (degree - 1) * now.log_scale - jnp.log(self.data.n)
        force = self.data.y * jnp.exp(log_force - self.data.y * now.outputs(self.data.x))
        return tangent.combined(now.at(1.0), self.data.x, force) - degree * jnp.exp(log_pace + self.log_weight_decay) * state

    def amplification(self, clock, state):
        """One: the state is what outputs are made of."""
        return jnp.ones(())

    def certificates(self, clock, state) -> dict[str, Scalar]:
        """The largest output of the initialization, over the length of its gradient: zero is assumed."""
        output = jnp.max(jnp.abs(outputs(self.init, self.data.x)))
        return {"output": output / jnp.sqrt(jnp.max(self._lengths()))}

    def _lengths(self) -> Float[Array, " n"]:
        return jnp.sum(tangent.features(self.init, self.data.x) ** 2, axis=-1)

    def _log_unit(self) -> Scalar:
        """The logarithm of a tenth of the fastest time scale at initialization."""
        return jnp.log(0.1) - jnp.log(jnp.max(self._lengths())) - 2 * (self.init.degree - 1) * self.log_alpha
