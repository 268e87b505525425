"""Linear regression on Gaussian inputs with a sparse truth."""

import equinox as eqx
import jax.numpy as jnp
import jax.random as jr

from ..errors import BadInput
from ..types import Array, Float, Key, Scalar
from .base import AbstractLaw, Problem, Split, require_count


class SparseLinearLaw(AbstractLaw):
    r"""$x\sim N(0, I_d)$, $y = \langle\beta^*, x\rangle + N(0, \text{noise}^2)$."""

    truth: Float[Array, " d"]
    noise: float = eqx.field(static=True)

    def sample(self, key: Key, n: int) -> Split:
        """Fresh samples."""
        inputs, errors = jr.split(key)
        x = jr.normal(inputs, (n, self.truth.size))
        return Split(x, x @ self.truth + self.noise * jr.normal(errors, (n,)))

    def excess_risk(self, effective: Float[Array, " d"]) -> Scalar:
        r"""$\|\beta - \beta^*\|_2^2$: the mean squared error on fresh samples, less the noise."""
        return jnp.sum((effective - self.truth) ** 2)


def sparse_recovery(key: Key, *, n: int, d: int, sparsity: int, noise: float = 0.0, test: int = 1000) -> Problem[Split]:
    r"""$n$ samples of $y = \langle\beta^*, x\rangle$ with `sparsity` entries of $\beta^*$ equal to $1/\sqrt{\text{sparsity}}$.

    `noise` is a standard deviation. The support is the first coordinates: Gaussian inputs do not tell them
    apart. Source: woodworth2020, figure 1.
    """
    require_count("n", n)
    require_count("d", d)
    require_count("sparsity", sparsity)
    require_count("test", test, least=0)
    if sparsity > d or noise < 0:
        raise BadInput(
            needed=f"sparse_recovery takes sparsity from 1 to d = {d} and noise >= 0",
            given=f"sparsity={sparsity}, noise={noise}",
            cure="Lower the sparsity or raise d.",
        )
    truth = jnp.where(jnp.arange(d) < sparsity, 1 / jnp.sqrt(1.0 * sparsity), 0.0)
    law = SparseLinearLaw(truth, noise)
    held_out = law.sample(jr.fold_in(key, 1), test) if test else None
    return Problem(law.sample(jr.fold_in(key, 0), n), held_out, truth, law)
