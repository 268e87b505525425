"""Classification of points of the hypercube by the majority of a few coordinates."""

import itertools

import equinox as eqx
import jax.numpy as jnp
import jax.random as jr
import numpy as np
from jax.scipy.stats import norm

from ..errors import BadInput
from ..numerics.signs import random_signs
from ..numerics.stable import scaled_to_one
from ..types import Array, Float, Key, Scalar
from .base import AbstractSignLaw, Problem, Split, require_count


class SparseSignLaw(AbstractSignLaw):
    r"""$x$ uniform on $\{-1,+1\}^d$, $y = \mathrm{sign}\sum_{j\le k} s_j x_j$ with signs $s$ and odd $k$."""

    signs: Float[Array, " k"]
    dim: int = eqx.field(static=True)

    def sample(self, key: Key, n: int) -> Split:
        """Fresh samples."""
        x = random_signs(key, (n, self.dim))
        return Split(x, jnp.sign(x[:, : self.signs.size] @ self.signs))

    def accuracy(self, effective: Float[Array, " d"]) -> Scalar:
        r"""Mean over the $2^k$ patterns $s$ of the relevant coordinates of $\Phi(y_s\langle w_S, s\rangle/\|w_{S^c}\|_2)$.

        The irrelevant coordinates enter through the central limit theorem: exact when they are many and
        none dominates, and in the limit when they vanish. All zeros count as a half.
        Source: lyu2024, section 3.2.3.
        """
        k = self.signs.size
        effective = scaled_to_one(effective)
        patterns = jnp.asarray(np.array(list(itertools.product((-1.0, 1.0), repeat=k))))
        right = jnp.sign(patterns @ self.signs) * (patterns @ effective[:k])
        spread = jnp.linalg.norm(effective[k:])
        sure = (jnp.sign(right) + 1) / 2
        graded = norm.cdf(right / jnp.where(spread == 0, 1.0, spread))
        return jnp.mean(jnp.where(spread == 0, sure, graded))


def sparse_classification(key: Key, *, n: int, d: int, sparsity: int = 3, test: int = 1000) -> Problem[Split]:
    """Points of the hypercube labeled by the majority of `sparsity` coordinates with random signs.

    `test=0` holds no test points: a thousand of them in dimension 100,000 take 800 MB, and the law knows the
    accuracy in closed form. Source: lyu2024, figure 1a.
    """
    require_count("n", n)
    require_count("d", d)
    require_count("sparsity", sparsity)
    require_count("test", test, least=0)
    if sparsity > d or sparsity % 2 == 0:
        raise BadInput(
            needed=f"sparse_classification takes an odd sparsity from 1 to d = {d}",
            given=f"sparsity={sparsity}",
            cure="Take the next odd number: an even majority can tie.",
        )
    signs = random_signs(jr.fold_in(key, 2), (sparsity,))
    law = SparseSignLaw(signs, d)
    truth = jnp.zeros(d).at[:sparsity].set(signs)
    held_out = law.sample(jr.fold_in(key, 1), test) if test else None
    return Problem(law.sample(jr.fold_in(key, 0), n), held_out, truth, law)
