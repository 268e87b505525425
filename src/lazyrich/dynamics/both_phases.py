r"""The flow of a homogeneous model with weight decay, from its kernel phase to where decay alone leaves nothing."""

from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp

from ..types import Array, Float, Scalar
from .directed import DirectedForm, Turned
from .forms import AbstractForm


class BothPhasesForm(AbstractForm):
    r"""The flow of a `DirectedForm`, with the state $s = (1 + \rho^{-(D-1)})\,h$ in place of $h$.

    It is $h$ while $\rho = \alpha e^{-\lambda t}$ is large, and $\theta - \rho\bar\theta = \rho^{-(D-1)}h$ when $\rho$ is small,
    where $h$ itself fades: of moderate size, and so under error control, before and after the transition.
    Assumes: outputs that are polynomials of the parameters. Source: lyu2024, appendix C.3.
    """

    stiff: ClassVar[bool] = False

    directed: DirectedForm
    how: str = eqx.field(static=True, default="flow of a homogeneous model through both phases")

    def state(self) -> Float[Array, " p"]:
        """Zero: the direction is that of the initialization."""
        return self.directed.state()

    def clock(self, times):
        """That of the kernel phase."""
        return self.directed.clock(times)

    def time(self, clock):
        """That of the kernel phase."""
        return self.directed.time(clock)

    def model(self, clock, state) -> Turned:
        """The model, by its turn and its size."""
        return self.directed.model(clock, state * jnp.exp(-jax.nn.softplus(-self._log_power(clock))))

    def field(self, clock, state, args):
        r"""$ds/d\text{clock}$: the weight times that of $h$, and $h$ times that of the weight."""
        log_power = self._log_power(clock)
        moved = self.directed.field(clock, self.model(clock, state).h, args)
        # dt/dclock is t plus the unit of the clock, and the weight grows by (D - 1) weight decay of its second part.
        pace = jnp.exp(self.directed.log_weight_decay) * (self.time(clock) + self.time(jnp.log(2.0)))
        grown = (self.directed.init.degree - 1) * pace * jax.nn.sigmoid(-log_power)
        return jnp.exp(jax.nn.softplus(-log_power)) * moved + grown * state

    def amplification(self, clock, state) -> Scalar:
        """One: the state is what the outputs are made of, or the parameters themselves."""
        return self.directed.amplification(clock, state)

    def certificates(self, clock, state) -> dict[str, Scalar]:
        """The largest output of the initialization, as in the kernel phase."""
        return self.directed.certificates(clock, state)

    def _log_power(self, clock) -> Scalar:
        r"""$\log\rho^{D-1}$."""
        form = self.directed
        left = form.log_alpha - jnp.exp(form.log_weight_decay) * form.time(clock)
        return (form.init.degree - 1) * left
