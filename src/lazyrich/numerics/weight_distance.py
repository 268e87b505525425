r"""The least squared distance of two weights from one: $r(z) = \min_{a^2-b^2=z}(a-1)^2+(b-1)^2$, two ways.

By direct search, which assumes nothing, and by the quartic of which it is a root; the third way is that $r = q_4$.
Source: woodworth2020, equation 9.
"""

import numpy as np

_GOLDEN = (np.sqrt(5) - 1) / 2
# Golden section on [0, 1]: below 1e-16 after so many steps.
_STEPS = 80


def weight_distance(z: np.ndarray) -> np.ndarray:
    r"""$r(z)$ by golden section over $g = 1 - b$, with $a$ from the constraint; even in $z$.

    With $a = 1 + e$ the constraint reads $e = (z - 2g + g^2)/(1 + a)$, in which nothing cancels near $z = 0$.
    """
    size = np.abs(np.asarray(z, float))
    low, high = np.zeros_like(size), np.ones_like(size)

    def cost(gap: np.ndarray) -> np.ndarray:
        rest = size - 2 * gap + gap**2
        return (rest / (1 + np.sqrt(1 + rest))) ** 2 + gap**2

    for _ in range(_STEPS):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        falls = cost(left) > cost(right)
        low, high = np.where(falls, left, low), np.where(falls, high, right)
    return cost((low + high) / 2)


def distance_quartic(z: float) -> np.ndarray:
    r"""Coefficients of $u^4 - 6u^3 + (12-2z^2)u^2 - (8+10z^2)u + z^2 + z^4$, highest power first."""
    return np.array([1.0, -6.0, 12 - 2 * z**2, -(8 + 10 * z**2), z**2 + z**4])


def real_roots(coefficients: np.ndarray, *, rtol: float = 1e-6) -> np.ndarray:
    """The real roots of a polynomial in rising order: those whose imaginary part is below `rtol` of their size."""
    roots = np.roots(coefficients)
    return np.sort(roots.real[np.abs(roots.imag) <= rtol * np.abs(roots)])
