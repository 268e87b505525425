r"""The slow flow of the nuclear norm along the solutions of linear equations, by implicit steps.

Unlike that of the absolute norm it is no chain of straight lines: singular vectors turn. An implicit step of length
$\Delta$ minimizes $\Delta\|M\|_* + \frac12\|M - M_0\|_F^2$ over the solutions. It is stable at any length, decides by itself
which singular values stay at zero, and is solved in the dual, where $M$ is $M_0 + V^*\nu$ with its singular values
lowered by $\Delta$.
"""

from dataclasses import dataclass

import numpy as np

from ..types import Float
from .slow_path import along, equations
from .values import require_finite

# Steps of the ascent that solves an implicit step; fifty are usual.
_ASCENT = 5_000
# How well an implicit step meets the equations before it is put onto them, over the size of the solution: far below
# every tolerance of a path.
_MET = 1e-9
# A step that moves less than this share of its length is rest: at the minimum nothing moves, elsewhere speeds are of
# order one.
_STILL = 1e-7
# Halvings of the last step, to find when rest began.
_HALVINGS = 15
_TINY = 1e-300


@dataclass(frozen=True, eq=False)
class NuclearPath:
    r"""A path from `init` to a least $\|M\|_*$, all along $\langle X_i, M\rangle = y_i$, at the ends of its steps.

    Times are slow times: the number of steps of a descent times its learning rate times the strength of the penalty. `error`
    adds up the local errors of all steps, over the size of the initialization (the flow never drives two solutions apart, so it
    bounds the error at the end up to higher terms). `gap` is how far the last norm can be above the least one,
    relative, proved by a dual. `finished` is whether the path came to rest.
    """

    times: Float[np.ndarray, " j"]
    positions: Float[np.ndarray, "j d k"]
    feasibility: float
    gap: float
    error: float
    finished: bool

    @property
    def end(self) -> Float[np.ndarray, "d k"]:
        """The last position."""
        return self.positions[-1]

    @property
    def extinction(self) -> float:
        """When the path comes to rest."""
        return float(self.times[-1]) if self.finished else float("inf")

    def at(self, times: Float[np.ndarray, " t"]) -> Float[np.ndarray, "t d k"]:
        """Positions at these slow times: at rest after the last, NaN if the path was cut off before."""
        return along(self.times, self.positions, self.finished, times)


def nuclear_path(
    x: Float[np.ndarray, "n d k"],
    y: Float[np.ndarray, " n"],
    init: Float[np.ndarray, "d k"],
    *,
    tolerance: float = 1e-5,
    max_steps: int = 10_000,
) -> NuclearPath:
    r"""$\dot M = -PH$ along $\langle X_i, M\rangle = y_i$: $H\in\partial\|M\|_*$ has the least $\|PH\|_F$.

    The limit of descent on a squared loss plus a weak nuclear norm, in slow time $\tau = $ steps x learning rate x strength,
    after the fast phase: it begins at the solution nearest to `init`. `tolerance` is the local error of a step over
    the size of the first position; a step is compared with two of half its length, and both are extrapolated.
    Assumes: consistent equations. Source: beyond_l2, theorem 2.2.
    """
    for name, part in (("x", x), ("y", y), ("init", init)):
        require_finite(f"{name} of nuclear_path", part)
    rows, offset = equations(x.reshape(len(y), -1), y)
    first = init.ravel() - rows.T @ (rows @ init.ravel()) + offset
    step = _Step(rows, rows @ offset, init.shape)
    walk = _Walk(step, first.reshape(init.shape))
    while not walk.resting and len(walk.times) <= max_steps:
        walk.go(tolerance)
    positions = np.array(walk.positions)
    residual = np.abs(positions.reshape(len(positions), -1) @ rows.T - rows @ offset).max()
    return NuclearPath(
        np.array(walk.times),
        positions,
        float(residual / max(np.linalg.norm(offset), _TINY)),
        _gap(rows, positions[-1], walk.dual),
        walk.error,
        walk.resting,
    )


class _Walk:
    """The steps so far."""

    def __init__(self, step: "_Step", first: np.ndarray):
        self.step, self.times, self.positions = step, [0.0], [first]
        self.size = max(float(np.linalg.norm(first)), _TINY)
        self.length, self.dual, self.error = 0.01 * self.size, np.zeros(len(step.rows)), 0.0
        self.resting = not first.any()

    def go(self, tolerance: float) -> None:
        """One more step, or the same again with another length; at rest, the time when rest began."""
        here, length = self.positions[-1], self.length
        whole, dual = self.step.take(here, length, self.dual)
        if np.linalg.norm(whole - here) <= _STILL * length:
            self.dual, self.resting = dual, True
            self._settle()
            return
        half, _ = self.step.take(here, length / 2, self.dual)
        end, _ = self.step.take(half, length / 2, self.dual)
        off = float(np.linalg.norm(whole - end)) / self.size
        if off <= tolerance:
            self.times.append(self.times[-1] + length)
            self.positions.append(2 * end - whole)
            self.dual, self.error = dual, self.error + off
        self.length = length * float(np.clip(0.9 * np.sqrt(tolerance / max(off, _TINY)), 0.2, 2.0))

    def _settle(self) -> None:
        """Shorten the last step to the least one that still ends at rest."""
        if len(self.times) < 2:
            return
        before, end = self.positions[-2:]
        low, high = 0.0, self.times[-1] - self.times[-2]
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            short = np.linalg.norm(self.step.take(before, middle, self.dual)[0] - end) > _STILL * self.size
            low, high = (middle, high) if short else (low, middle)
        self.times[-1] = self.times[-2] + high


@dataclass(frozen=True)
class _Step:
    r"""An implicit step along $VM = b$, for orthonormal rows $V$ of flattened matrices."""

    rows: np.ndarray
    target: np.ndarray
    shape: tuple[int, int]

    def take(self, here: np.ndarray, length: float, dual: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        r"""The minimizer and its $\nu/\Delta$, by Nesterov's ascent on the dual, which restarts where it turns back.

        The dual's gradient is the residual of the equations, and changes no faster than $\nu$: a step of one is always safe.
        """
        near = _MET * max(np.linalg.norm(self.target), np.linalg.norm(here))
        point = nu = dual * length
        pace = 1.0
        for _ in range(_ASCENT):
            matrix = lowered(here + (point @ self.rows).reshape(self.shape), length)
            residual = self.target - self.rows @ matrix.ravel()
            if np.linalg.norm(residual) <= near:
                break
            further = point + residual
            pace = 1.0 if residual @ (further - nu) < 0 else pace
            next_pace = (1 + np.sqrt(1 + 4 * pace**2)) / 2
            point, nu, pace = further + (pace - 1) / next_pace * (further - nu), further, next_pace
        return matrix + (residual @ self.rows).reshape(self.shape), point / length


def lowered(matrix: np.ndarray, length: float) -> np.ndarray:
    """The matrix with its singular values lowered, to zero at most."""
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    return (left * np.maximum(values - length, 0.0)) @ right


def _gap(rows: np.ndarray, end: np.ndarray, dual: np.ndarray) -> float:
    r"""How far $\|M\|_*$ is above the bound $\langle V^*\nu, M\rangle/\|V^*\nu\|_{op}$, relative."""
    norm, prices = np.linalg.norm(end, "nuc"), (dual @ rows).reshape(end.shape)
    top = np.linalg.norm(prices, 2)
    bound = np.sum(prices * end) / top if top > 0 else 0.0
    return float(abs(1 - bound / norm)) if norm > 0 else 0.0
