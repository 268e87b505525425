r"""Answers of diagonal nets of every depth at given prices $p = X^\top\nu$, and how near they are to least l1."""

import numpy as np


def _power(depth):
    r"""$D - 2$, or 1 at depth 2, where powers turn to exponentials."""
    return depth - 2 + (depth == 2)


def answer(price, depth, scale):
    r"""$\beta = c\,h_D(p)$ with $c$ the scale: $2c\sinh p$ at depth 2, $c[(1-p)^{-a} - (1+p)^{-a}]$, $a = D/(D-2)$, beyond."""
    a, inside = depth / _power(depth), price.where(depth > 2, 0.0)
    return scale * (2 * np.sinh(price.where(depth == 2, 0.0)) + (1 - inside) ** -a - (1 + inside) ** -a)


def power_excess(effective, alpha, depth):
    r"""$\frac D2\alpha^{D-2}\sum_i|\beta_i|^{2/D}$: by how much $\sum_iw_i^{2-D}|\beta_i|$ can exceed its least value, $D\ge 3$.

    Since $1 - h_D^{-1}(z)\le z^{2/D-1}$, the entropy $q_D(z)$ lies between $|z| - \frac D2|z|^{2/D}$ and $|z|$.
    """
    return depth / 2 * alpha ** (depth - 2) * (abs(effective) ** (2 / depth)).sum("d")
