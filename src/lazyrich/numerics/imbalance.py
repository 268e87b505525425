r"""The imbalance $A^\top A - B^\top B$ of two layers, and what it says of the least singular values of each."""

from typing import Any, NamedTuple

import jax.numpy as jnp

from ..types import Array, Float

Numbers = Float[Array, "..."]


class Imbalance(NamedTuple):
    r"""The ends of both halves of the spectrum of $D = A^\top A - B^\top B$, $A$ of $r$ rows and $B$ of $m$.

    `top` and `bottom` are $[\lambda_1(D)]_+$ and $[\lambda_r(D)]_+$; `low_top` and `low_bottom` are $[\lambda_1(-D)]_+$
    and $[\lambda_m(-D)]_+$. Eigenvalues beyond the size of $D$ are zero. Source: min2021, equations 18 to 20.
    """

    top: Any
    bottom: Any
    low_top: Any
    low_bottom: Any

    @property
    def level(self) -> Any:
        """The effective level of imbalance: from the least positive eigenvalue down to the least negative one."""
        return self.bottom + self.low_bottom

    @property
    def spreads(self) -> tuple[Any, Any]:
        """How far the positive eigenvalues spread, and how far the negative ones."""
        return self.top - self.bottom, self.low_top - self.low_bottom

    @classmethod
    def of(cls, values: Numbers, *, rows: int, others: int) -> "Imbalance":
        """From all eigenvalues in increasing order, for layers of so many rows."""
        size = values.shape[-1]

        def part(signed, place):
            kept = signed[..., place - 1] if place <= size else jnp.zeros_like(values[..., 0])
            return jnp.maximum(kept, 0.0)

        down, up = values[..., ::-1], -values
        return cls(part(down, 1), part(down, rows), part(up, 1), part(up, others))

    def squares_at_least(self, second: Any, first: Any) -> tuple[Any, Any]:
        r"""Bounds below on $\lambda_m(BB^\top)$ and $\lambda_r(AA^\top)$.

        With $\sigma_m$ of the product $AB^\top$ the first is $\tfrac12\bigl(-\bar\lambda_+ + \underline\lambda_- +
        \sqrt{(\bar\lambda_+ + \underline\lambda_-)^2 + 4\sigma_m^2}\bigr)$; the second has $\sigma_r$ and the signs of
        $D$ exchanged. Source: min2021, lemma 8.
        """
        return (
            (self.low_bottom - self.top + jnp.hypot(self.low_bottom + self.top, 2 * second)) / 2,
            (self.bottom - self.low_top + jnp.hypot(self.bottom + self.low_top, 2 * first)) / 2,
        )

    def rate_at_least(self, second: Any, first: Any) -> Any:
        r"""$-\Delta_+ + \sqrt{(\Delta_+ + \underline\Delta)^2 + 4\sigma_m^2}$ and the same with $\Delta_-$ and $\sigma_r$, added.

        Twice the sum of the bounds on the squares. Source: min2021, equation 17.
        """
        up, down = self.spreads
        return jnp.hypot(up + self.level, 2 * second) - up + jnp.hypot(down + self.level, 2 * first) - down


def difference(first: Float[Array, "*s r h"], second: Float[Array, "*s m h"]) -> Float[Array, "*s h h"]:
    r"""$D = A^\top A - B^\top B$."""
    return jnp.swapaxes(first, -1, -2) @ first - jnp.swapaxes(second, -1, -2) @ second


def eigenvalues(first: Float[Array, "r h"], second: Float[Array, "m h"]) -> Float[Array, " p"]:
    r"""Of $A^\top A - B^\top B$, in increasing order, zeros beyond $r + m$ left out; no matrix of the width is formed."""
    rows = jnp.concatenate([second, first])
    if rows.shape[1] <= rows.shape[0]:
        return jnp.linalg.eigvalsh(difference(first, second))
    triangle = jnp.linalg.qr(rows.T, mode="r")
    signs = jnp.concatenate([-jnp.ones(second.shape[0]), jnp.ones(first.shape[0])])
    return jnp.linalg.eigvalsh((triangle * signs) @ triangle.T)


def place(values: Numbers, at: int) -> Numbers:
    """The singular value at this place, the first one 1; zero beyond the last."""
    return values[..., at - 1] if at <= values.shape[-1] else jnp.zeros_like(values[..., 0])
