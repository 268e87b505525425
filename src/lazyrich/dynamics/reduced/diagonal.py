"""The flow of a diagonal net as a flow of n numbers, any loss, any weight decay, any scale."""

from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...models import DiagonalNet, LogDiagonalNet
from ...numerics.stable import log_expm1
from ...numerics.values import concrete
from ...objective import Objective
from ...problems import Split
from ...types import Array, Float, Scalar
from ..forms import AbstractForm


class DiagonalForm(AbstractForm):
    r"""$n$ numbers that determine the $2d$ parameters of a diagonal net of depth $D\ge 2$ under its flow with weight decay.

    With $\rho = \alpha e^{-\lambda t}$ and the force $g_i = -\text{weight}\cdot\ell'(f_i, y_i)$, the integral
    $b = s_D\int\rho^{D-2} g\,dt$ ($s_2 = 4$, $s_D = D(D-2)$) gives every weight: with $p = X^\top b$,

    - depth 2: $u = u_0 e^{-\lambda t + p/2}$, $v = v_0 e^{-\lambda t - p/2}$;
    - depth $D$: $u = u_0 e^{-\lambda t}(1 - (u_0/\alpha)^{D-2} p)^{-1/(D-2)}$, $v$ with the plus sign.

    The state is $c = (1 + k\rho^D)\,b$, where $w\approx k\rho^D p$ for small $p$: it tends to the dual of the
    kernel problem while $\rho$ is large and to $b$ when it is small, so it has moderate size in both regimes.
    The clock is logarithmic, $t = t_0(e^s - 1)$ with $t_0$ a tenth of the fastest time scale at initialization, and
    every large number meets its small partner inside an exponent: $\alpha = e^{128}$ is no harder than 1.
    Assumes: linear in the input, every penalty L2, u and v positive at initialization. For $D\ge 3$ errors grow like
    $\rho^{-(D-2)}$ late in the flow: the outcome says when too few digits are left.
    Source: lyu2024, section 3.2.3.
    """

    stiff: ClassVar[bool] = True

    objective: Objective[Split]
    middle: Float[Array, " d"]
    half: Float[Array, " d"]
    depth: int = eqx.field(static=True)
    how: str = eqx.field(static=True)

    @classmethod
    def why_not(cls, objective: Objective, init: Any) -> str | None:
        """The hypothesis that fails, or None."""
        if not isinstance(init, DiagonalNet | LogDiagonalNet):
            return f"the model is {type(init).__name__}, not a DiagonalNet"
        if not isinstance(objective.data, Split) or objective.data.y.ndim != 1:
            return "the data are not vector measurements with one target each"
        if init.depth < 2:
            return f"the depth is {init.depth}, not at least 2"
        if objective.weight_decay is None:
            return "a penalty is not L2"
        weights = [concrete(part) for part in init.parameters()]
        if any(part is not None and np.any(part <= 0) for part in weights):
            return "the initialization has weights that are not positive"
        return None

    @classmethod
    def of(cls, objective: Objective, init: Any) -> "DiagonalForm":
        """The reduction of this flow."""
        if isinstance(init, LogDiagonalNet):
            middle, half = init.middle, init.half
        else:
            middle = (jnp.log(init.u) + jnp.log(init.v)) / 2
            half = (jnp.log(init.u) - jnp.log(init.v)) / 2
        how = f"exact reduction of a diagonal net of depth {init.depth} to {objective.data.n} numbers"
        return cls(objective=objective, middle=middle, half=half, depth=init.depth, how=how)

    @property
    def log_alpha(self) -> Scalar:
        """The scale of the initialization: the mean logarithm of its weights."""
        return jnp.mean(self.middle)

    def state(self) -> Float[Array, " n"]:
        """Zero: nothing has been integrated yet."""
        return jnp.zeros(self.objective.data.n)

    def clock(self, times):
        r"""$s = \log(1 + t/t_0)$."""
        return jax.nn.softplus(jnp.log(times) - self._log_unit())

    def time(self, clock):
        r"""$t = t_0(e^s - 1)$."""
        return jnp.exp(self._log_unit() + log_expm1(clock))

    def model(self, clock, state) -> LogDiagonalNet:
        """The net, in logarithms."""
        time = self.time(clock)
        return self._net(time, self._p(time, state))

    def amplification(self, clock, state):
        r"""One at depth 2; one over the smallest bracket beyond, where $1 - p$ cancels as the weight decay goes on."""
        if self.depth == 2:
            return jnp.ones(())
        return 1 / (1 + jnp.min(jnp.stack(self._brackets(self._p(self.time(clock), state)))))

    def certificates(self, clock, state):
        """None: any state stands for weights with the conserved quantities of the initialization."""
        return {}

    def field(self, clock, state, args):
        r"""$dc/ds$."""
        time, log_pace = self.time(clock), self._log_unit() + clock
        log_pull = self._log_pull(time)
        rho = self.log_alpha - self._weight_decay * time
        data = self._data
        f = data.x @ self.model(clock, state).effective()
        log_force = log_pace + jax.nn.softplus(log_pull) + self._log_speed + (self.depth - 2) * rho
        push = -self.objective.loss.scaled_slope(f, data.y, log_force)
        return push - jnp.exp(log_pace) * self._weight_decay * self.depth * jax.nn.sigmoid(log_pull) * state

    def _p(self, time, state) -> Float[Array, " d"]:
        return (state @ self._data.x) * jnp.exp(-jax.nn.softplus(self._log_pull(time)))

    def _net(self, time, p) -> LogDiagonalNet:
        if self.depth == 2:
            return LogDiagonalNet(self.middle - self._weight_decay * time, self.half + p / 2, 2)
        power = self.depth - 2
        gain, loss = (jnp.log1p(part) / power for part in self._brackets(p))
        return LogDiagonalNet(
            self.middle - self._weight_decay * time - (gain + loss) / 2, self.half + (loss - gain) / 2, self.depth
        )

    def _brackets(self, p) -> tuple[Float[Array, " d"], Float[Array, " d"]]:
        r"""The brackets of $u$ and $v$ less one: $-(u_0/\alpha)^{D-2}p$ and $(v_0/\alpha)^{D-2}p$."""
        u, v = (jnp.exp((self.depth - 2) * (self.middle + s * self.half - self.log_alpha)) for s in (1, -1))
        return -u * p, v * p

    @property
    def _data(self) -> Split:
        return self.objective.data

    @property
    def _weight_decay(self) -> Scalar:
        weight_decay = self.objective.weight_decay
        assert weight_decay is not None  # why_not has refused the rest
        return weight_decay

    @property
    def _log_speed(self):
        speed = 4 if self.depth == 2 else self.depth * (self.depth - 2)
        return jnp.log(speed * self.objective.weight)

    def _log_pull(self, time):
        slope = 2.0 if self.depth == 2 else 2 * self.depth / (self.depth - 2)
        return jnp.log(slope) + self.depth * (self.log_alpha - self._weight_decay * time)

    def _log_unit(self) -> Scalar:
        """The logarithm of a tenth of the fastest time scale: of the kernel phase, or of p."""
        data, depth = self._data, self.depth
        kernel = jnp.log(2 * depth**2 * self.objective.weight * jnp.max(jnp.sum(data.x**2, axis=1)))
        kernel = kernel + (2 * depth - 2) * self.log_alpha
        outputs = data.x @ self._net(jnp.zeros(()), jnp.zeros(data.d)).effective()
        slope = self.objective.loss.scaled_slope(outputs, data.y, 0.0)
        rich = jnp.log(jnp.max(jnp.abs(slope @ data.x))) + self._log_speed + (depth - 2) * self.log_alpha
        return jnp.log(0.1) - jnp.maximum(kernel, rich)
