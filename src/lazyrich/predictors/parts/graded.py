"""The shortest solution of linear equations whose columns differ in size by many powers of ten."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr, solve_triangular

from .linear_system import LinearSystem


def shortest(
    x: np.ndarray, y: np.ndarray, roots: np.ndarray, *, sizes: np.ndarray, system: LinearSystem
) -> tuple[np.ndarray, np.ndarray]:
    r"""The shortest $z$ with $X(z/\text{roots}) = y$, refined once, and the multipliers of the samples.

    `system` is that of $X$ with its columns divided by `sizes`.
    """
    inverse = GradedInverse.of(system.rows, roots / sizes)
    solution, dual = inverse.shortest(system.target)
    solution += inverse.shortest(system.lift.T @ (y - x @ (solution / roots)))[0]
    return solution, system.lift @ dual


@dataclass(frozen=True)
class GradedInverse:
    """The least norm of z with rows @ (z / sizes) = b, for sizes of any range: large rows first, columns pivoted.

    With that order a QR factorization has errors small beside each row of the factored matrix, not only the largest.
    """

    frame: np.ndarray
    triangle: np.ndarray
    order: np.ndarray
    pivots: np.ndarray

    @classmethod
    def of(cls, rows: np.ndarray, sizes: np.ndarray) -> "GradedInverse":
        """Factor once."""
        order = np.argsort(sizes, kind="stable")
        frame, triangle, pivots = qr((rows / sizes).T[order], mode="economic", pivoting=True)  # pyright: ignore
        return cls(np.asarray(frame), np.asarray(triangle), order, np.asarray(pivots))

    def shortest(self, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The shortest z, and the multipliers of the rows."""
        inside = solve_triangular(self.triangle, target[self.pivots], trans=1)
        shortest, dual = np.empty(self.order.size), np.empty(target.size)
        shortest[self.order] = self.frame @ inside
        dual[self.pivots] = solve_triangular(self.triangle, inside)
        return shortest, dual
