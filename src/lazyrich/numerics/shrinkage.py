r"""Soft thresholding of singular values, $Z\mapsto U\max(\Sigma - \tau, 0)V^\top$, and its derivative."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True, eq=False)
class Shrunk:
    r"""$U\max(\Sigma - \tau, 0)V^\top$ for $Z = U\Sigma V^\top$, with what its derivative needs."""

    left: np.ndarray
    sizes: np.ndarray
    right: np.ndarray
    threshold: float

    @classmethod
    def of(cls, z: np.ndarray, threshold: float) -> "Shrunk":
        """From the singular value decomposition."""
        return cls(*np.linalg.svd(z, full_matrices=False), threshold)

    @cached_property
    def kept(self) -> np.ndarray:
        r"""$\max(\Sigma - \tau, 0)$."""
        return np.maximum(self.sizes - self.threshold, 0.0)

    @cached_property
    def rank(self) -> int:
        """How many singular values are left."""
        return int((self.sizes > self.threshold).sum())

    @cached_property
    def matrix(self) -> np.ndarray:
        """The shrunk matrix."""
        return (self.left[:, : self.rank] * self.kept[: self.rank]) @ self.right[: self.rank]

    @property
    def clipped(self) -> np.ndarray:
        r"""$U\min(\Sigma, \tau)V^\top$: the rest, of spectral norm at most $\tau$."""
        return (self.left * np.minimum(self.sizes, self.threshold)) @ self.right

    def slopes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        r"""Divided differences in the kept rows $i$: of symmetric parts, of antisymmetric ones, and beside both.

        $(f_i - f_j)/(\sigma_i - \sigma_j)$, $(f_i + f_j)/(\sigma_i + \sigma_j)$ and $f_i/\sigma_i$ with
        $f = \max(\sigma - \tau, 0)$. Among the kept the first is 1.
        """
        r, f, s = self.rank, self.kept, self.sizes
        even = np.ones((r, s.size))
        even[:, r:] = f[:r, None] / (s[:r, None] - s[r:])
        odd = (f[:r, None] + f) / (s[:r, None] + s)
        return even, odd, f[:r] / s[:r]

    def along(self, h: np.ndarray, slopes: tuple[np.ndarray, np.ndarray, np.ndarray]) -> np.ndarray:
        """The derivative in the direction of a matrix: nothing where neither side is kept."""
        even, odd, aside = slopes
        r, left, right = self.rank, self.left, self.right
        across, down = left[:, :r].T @ h, h @ right[:r].T
        rows, cols = across @ right.T, (left.T @ down).T
        symmetric, skew = (rows + cols) / 2, (rows - cols) / 2
        over, under = even * symmetric + odd * skew, even * symmetric - odd * skew
        under[:, :r] = 0.0
        if h.shape[0] < h.shape[1]:
            lying = over @ right + aside[:, None] * (across - rows @ right)
        else:
            lying = over @ right
        standing = left @ under.T
        if h.shape[0] > h.shape[1]:
            standing = standing + (down - left @ cols.T) * aside
        return left[:, :r] @ lying + standing @ right[:r]
