r"""The slow flow of the absolute norm along the solutions of linear equations, event by event."""

from dataclasses import dataclass

import numpy as np

from ..errors import BadInput
from ..types import Bool, Float
from .values import require_finite

# Velocities have entries of order one and are residuals of least squares, good to rounding: below this they are zero.
_STILL = 1e-10
# Entries below this share of the largest entry of the initialization are zero. The flow never drives two solutions apart, so
# what is cut off here comes back as no more than itself.
_ZERO = 1e-12
# The share of a velocity that may point away from the solutions: rounding, when near-equal columns make it slow.
_ASTRAY = 1e-3
# How far rounding may carry the path off the solutions, over the size of the smallest one.
_DRIFT = 1e-13
# The residual that the best solution may have, over the size of the targets.
_CLASH = 1e-8
# Newton steps for one velocity, for each entry; a handful in all is usual.
_NEWTON = 10


@dataclass(frozen=True, eq=False)
class SlowPath:
    r"""A piecewise linear path from `init` to a least $\|b\|_1$, all along $Xb = y$.

    Row $j$ of `positions` is where the path is at `times[j]`; from there it moves with row $j$ of `velocities` until
    some entry meets zero. `moving[j]` are the entries that are not held at zero meanwhile. Times are slow times: the
    number of steps of a descent times its learning rate times the strength of the penalty. `finished` is whether the path
    came to rest, and was not cut off; `gap` is how far $\|b\|_1$ at its end can be above the least one,
    relative, proved by a dual.
    """

    times: Float[np.ndarray, " j"]
    positions: Float[np.ndarray, "j d"]
    velocities: Float[np.ndarray, "j d"]
    moving: Bool[np.ndarray, "j d"]
    feasibility: float
    gap: float
    finished: bool

    @property
    def end(self) -> Float[np.ndarray, " d"]:
        """Where the path comes to rest."""
        return self.positions[-1]

    @property
    def extinction(self) -> float:
        r"""$T^*$, when the path comes to rest: $t_2\cdot\eta\cdot\text{strength}$ of a slow descent."""
        return float(self.times[-1]) if self.finished else float("inf")

    @property
    def norms(self) -> Float[np.ndarray, " j"]:
        r"""$\|b\|_1$ at the events."""
        return np.abs(self.positions).sum(axis=1)

    @property
    def crossed(self) -> Bool[np.ndarray, "j d"]:
        """Which entries change sign at which event: straight through zero, without being held there."""
        before = np.sign(np.diff(self.positions, axis=0, prepend=self.positions[:1]))
        after = np.sign(self.velocities)
        return (self.positions == 0) & (before == after) & (after != 0)

    def at(self, times: Float[np.ndarray, " t"]) -> Float[np.ndarray, "t d"]:
        """Positions at these slow times: at rest after the last event, NaN if the path was cut off before."""
        return along(self.times, self.positions, self.finished, times)

    def first_within(self, target: Float[np.ndarray, " d"], share: float) -> float:
        r"""The first slow time with $\|b - b^*\|_2 \le \text{share}\cdot\|b^*\|_2$, exactly; infinity if never."""
        level = share * np.linalg.norm(target)
        for j, time in enumerate(self.times):
            gap, velocity = self.positions[j] - target, self.velocities[j]
            if np.linalg.norm(gap) <= level:
                return float(time)
            square, slope = velocity @ velocity, gap @ velocity
            root = slope**2 - square * (gap @ gap - level**2)
            if j + 1 < self.times.size and root >= 0 and slope < 0:
                # The smaller root, written without a difference of near numbers.
                after = (gap @ gap - level**2) / (np.sqrt(root) - slope)
                if after <= self.times[j + 1] - time:
                    return float(time + after)
        return float("inf")


def along(knots: np.ndarray, positions: np.ndarray, finished: bool, times: np.ndarray) -> np.ndarray:
    """Positions between knots on straight lines: at rest after the last knot, or NaN if the path was not finished."""
    first = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, None)
    last = np.minimum(first + 1, knots.size - 1)
    span = np.where(last > first, knots[last] - knots[first], 1.0)
    wide = (-1,) + (1,) * (positions.ndim - 1)
    share = np.where(last > first, (times - knots[first]) / span, 0.0).reshape(wide)
    unknown = ((times > knots[-1]) & (not finished)).reshape(wide)
    return np.where(unknown, np.nan, (1 - share) * positions[first] + share * positions[last])


def slow_path(
    x: Float[np.ndarray, "n d"], y: Float[np.ndarray, " n"], init: Float[np.ndarray, " d"], *, max_events: int = 100_000
) -> SlowPath:
    r"""$\dot b = -Ph$ along $Xb = y$: $P$ projects on the null space, $h\in\partial\|b\|_1$ has the least $\|Ph\|_2$.

    The limit of descent on a squared loss plus a weak $\ell_1$ penalty, in slow time $\tau = $ steps x learning rate x
    strength, after the fast phase: it begins at the solution nearest to `init`. Velocities change only when an
    entry meets zero; it then stays there, or goes on with the other sign, and entries at rest may move again. Event
    times are exact up to rounding. Repeated or dependent equations, columns of zeros, several entries that meet zero
    together and several minimizers are all allowed. A velocity below 1e-10 counts as rest, and a path whose velocity is
    lost in rounding (columns equal to eight digits) is cut off there: `gap` says what either leaves open.
    Assumes: consistent equations.
    Source: beyond_l2, theorem 2.1.
    """
    for name, part in (("x", x), ("y", y), ("init", init)):
        require_finite(f"{name} of slow_path", part)
    rows, offset = equations(x, y)
    position = init - rows.T @ (rows @ init) + offset
    floor = _ZERO * max(np.abs(position).max(), np.abs(offset).max())
    time, dual = 0.0, rows @ np.sign(position)
    times, positions, velocities, moving = [], [], [], []
    while True:
        position = _mended(rows, rows @ offset, np.where(np.abs(position) <= floor, 0.0, position))
        velocity, dual = _velocity(rows, np.sign(position), dual)
        toward = position * velocity < 0
        rest = not toward.any() or np.abs(velocity).max() <= _STILL
        lost = not rest and np.linalg.norm(rows @ velocity) > _ASTRAY * np.linalg.norm(velocity)
        velocity = np.where(rest | (np.abs(velocity) <= _STILL) & (position == 0), 0.0, velocity)
        times.append(time)
        positions.append(position)
        velocities.append(velocity)
        moving.append((position != 0) | (velocity != 0))
        if rest or lost or len(times) > max_events:
            break
        left = np.divide(-position, velocity, out=np.full_like(position, np.inf), where=toward)
        time, position = time + left.min(), np.where(left == left.min(), 0.0, position + left.min() * velocity)
    path = np.array(positions)
    return SlowPath(
        np.array(times), path, np.array(velocities), np.array(moving), _missed(x, y, path), _gap(rows, path[-1], dual), bool(rest)
    )


def equations(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Orthonormal rows that span those of x, and the smallest solution; rows of length one make units irrelevant."""
    lengths = np.linalg.norm(x, axis=1)
    lengths = np.where(lengths > 0, lengths, 1.0)
    left, sizes, rows = np.linalg.svd(x / lengths[:, None], full_matrices=False)
    rank = int((sizes > sizes[0] * max(x.shape) * np.finfo(float).eps).sum())
    offset = (left[:, :rank].T @ (y / lengths) / sizes[:rank]) @ rows[:rank]
    residual = np.linalg.norm((x @ offset - y) / lengths)
    if not residual <= _CLASH * np.linalg.norm(y / lengths):
        raise BadInput(
            needed="slow_path needs equations with a solution",
            given=f"a residual of {residual:.3g}",
            cure="Remove samples that contradict each other, or take fewer samples than unknowns.",
        )
    return rows[:rank], offset


def _mended(rows: np.ndarray, target: np.ndarray, position: np.ndarray) -> np.ndarray:
    """The position with its nonzero entries put back on the solutions, where a slow stretch let rounding add up."""
    residual, support = target - rows @ position, np.flatnonzero(position)
    if np.linalg.norm(residual) <= _DRIFT * np.linalg.norm(target) or support.size == 0:
        return position
    better = position.copy()
    better[support] += np.linalg.lstsq(rows[:, support], residual, rcond=1e-6)[0]
    return np.where(better * position > 0, better, 0.0)


def _velocity(rows: np.ndarray, signs: np.ndarray, dual: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    r"""The velocity $-(h - V^\top\mu)$ and its dual $\mu$, by Newton's method on $\tfrac12\|v(\mu)\|^2$ from a near dual.

    Off zero $h_i$ is the sign; at zero it is $V_i^\top\mu$ cut to $[-1, 1]$. The function is convex and piecewise
    quadratic, and $\|\mu\|$ is never above $2\sqrt d$: a step that stays on its piece ends it, any other goes to the
    exact minimum along its line.
    """
    velocity = _velocity_of(rows, signs, dual)
    for _ in range(_NEWTON * signs.size):
        free = (signs != 0) | (velocity != 0)
        step = -np.linalg.lstsq(rows[:, free].T, velocity[free], rcond=1e-11)[0]
        share = _share(rows, signs, dual, step)
        moved = dual + share * step
        better = _velocity_of(rows, signs, moved)
        if not better @ better < velocity @ velocity:
            break
        whole = share > 1 - 1e-9 and np.array_equal(free, (signs != 0) | (better != 0))
        dual, velocity = moved, better
        if whole:
            break
    return velocity, dual


def _velocity_of(rows: np.ndarray, signs: np.ndarray, dual: np.ndarray) -> np.ndarray:
    """The velocity that a dual gives."""
    prices = dual @ rows
    return prices - np.where(signs != 0, signs, np.clip(prices, -1, 1))


def _share(rows: np.ndarray, signs: np.ndarray, dual: np.ndarray, step: np.ndarray) -> float:
    r"""How much of a step leads to the least $\|v\|$ along it: the root of a slope that is piecewise linear and increasing."""
    prices, change = dual @ rows, step @ rows

    def slope(share):
        return _velocity_of(rows, signs, dual + share * step) @ change

    turn = (signs == 0) & (change != 0)
    knots = np.concatenate([(side - prices[turn]) / change[turn] for side in (-1, 1)])
    knots = np.concatenate([[0.0], np.sort(knots[(knots > 0) & (knots < 1)]), [1.0]])
    low, high = 0, knots.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if slope(knots[middle]) < 0 else (low, middle)
    before, after = slope(knots[low]), slope(knots[high])
    if not before < 0 < after:
        return float(knots[high] if after <= 0 else knots[low])
    return float(knots[low] + (knots[high] - knots[low]) * before / (before - after))


def _missed(x: np.ndarray, y: np.ndarray, positions: np.ndarray) -> float:
    r"""The largest $\|Xb - y\|_2/\|y\|_2$ along the path: it is convex in $b$, so the events suffice."""
    residual = np.linalg.norm(positions @ x.T - y, axis=1).max()
    return float(residual / np.linalg.norm(y)) if y.any() else float(residual)


def _gap(rows: np.ndarray, end: np.ndarray, dual: np.ndarray) -> float:
    r"""How far $\|b\|_1$ is above the bound $\langle V^\top\mu, b\rangle/\|V^\top\mu\|_\infty$, relative."""
    norm, prices = np.abs(end).sum(), dual @ rows
    top = np.abs(prices).max()
    bound = prices @ end / top if top > 0 else 0.0
    return float(abs(1 - bound / norm)) if norm > 0 else 0.0
