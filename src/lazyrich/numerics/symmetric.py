"""Symmetric matrices: the half of their entries that says all, and a square root that keeps its digits."""

import jax
import jax.numpy as jnp
import numpy as np

from ..types import Array, Float


def upper(a: Float[Array, "d d"]) -> Float[Array, " p"]:
    """The entries on and above the diagonal of a symmetric matrix, row by row."""
    return a[np.triu_indices(a.shape[0])]


def from_upper(entries: Float[Array, " p"], d: int) -> Float[Array, "d d"]:
    """The symmetric matrix with these entries on and above its diagonal."""
    rows, cols = np.triu_indices(d)
    place = np.zeros((d, d), int)
    place[rows, cols] = place[cols, rows] = np.arange(rows.size)
    return entries[place]


@jax.custom_jvp
def hyperbolic_excess(w: Float[Array, "d d"], kappa: Float[Array, ""]) -> Float[Array, "d d"]:
    r"""$R = \sqrt{W^2 + 4\kappa^2 I} - 2\kappa I$ for a symmetric $W$ and $\kappa\ge 0$.

    Its eigenvalues are $w^2/(\sqrt{w^2+4\kappa^2} + 2\kappa)$: nothing cancels when $\kappa$ is large. The derivative
    has divided differences $(w_i+w_j)/(s_i+s_j)$, $s = \sqrt{w^2+4\kappa^2}$, so that equal eigenvalues do no harm.
    """
    return _excess(w, kappa)[0]


@hyperbolic_excess.defjvp
def _hyperbolic_excess_jvp(at, along):
    (w, kappa), (dw, dkappa) = at, along
    excess, (values, basis, root, over) = _excess(w, kappa)
    turned = basis.T @ (dw + dw.T) @ basis / 2
    moved = _ratio(values[:, None] + values, root[:, None] + root) * turned - 2 * dkappa * jnp.diag(_ratio(over, root))
    return excess, basis @ moved @ basis.T


def _excess(w, kappa):
    values, basis = jnp.linalg.eigh(w)
    root = jnp.hypot(values, 2 * kappa)
    over = values * _ratio(values, root + 2 * kappa)
    return (basis * over) @ basis.T, (values, basis, root, over)


def _ratio(a, b):
    return jnp.where(b > 0, a / jnp.where(b > 0, b, 1.0), 0.0)
