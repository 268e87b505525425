r"""The entropies of diagonal nets of every depth through their links, on the host and in log form.

An entropy $\varphi$ ($q$ at depth 2, $q_D$ at depths $D \ge 3$) is known by its link: the value $z$ and its price
$p = \varphi'(z)$ as functions of one number $\sigma$ that saturates nowhere. Values come as $\log|z|$, so scales
far outside the range of floats are ordinary numbers here.
Source: woodworth2020, theorems 1 and 3.
"""

import abc
from dataclasses import dataclass

import numpy as np

_LOG2 = float(np.log(2.0))


def log_sinh(x: np.ndarray) -> np.ndarray:
    r"""$\log(2\sinh x)$ for $x \ge 0$; $-\infty$ at 0."""
    with np.errstate(divide="ignore"):
        return x + np.log(-np.expm1(-2 * x))


def log_cosh(x: np.ndarray) -> np.ndarray:
    r"""$\log(2\cosh x)$."""
    size = np.abs(x)
    return size + np.log1p(np.exp(-2 * size))


class Link(abc.ABC):
    r"""Values, prices and conjugates of one entropy as functions of $\sigma$; even ones take $|\sigma|$."""

    @property
    @abc.abstractmethod
    def stiffness(self) -> float:
        r"""$1/\varphi''(0)$: what the value is for a small price of one."""

    @property
    @abc.abstractmethod
    def limit(self) -> float:
        """The price that no value reaches."""

    @abc.abstractmethod
    def room(self, sigma: np.ndarray, log_unit: float) -> np.ndarray:
        r"""How far the price's size is from its limit, times $e^u$."""

    @abc.abstractmethod
    def price(self, sigma: np.ndarray) -> np.ndarray:
        r"""$p$ at $\sigma$."""

    @abc.abstractmethod
    def log_answer(self, size: np.ndarray) -> np.ndarray:
        r"""$\log|z|$ at $|\sigma|$."""

    @abc.abstractmethod
    def log_slope(self, size: np.ndarray) -> np.ndarray:
        r"""$\log dz/dp$ at $|\sigma|$."""

    @abc.abstractmethod
    def log_conjugate(self, size: np.ndarray) -> np.ndarray:
        r"""$\log\varphi^*(p)$ at $|\sigma|$."""

    @abc.abstractmethod
    def place(self, log_answer: np.ndarray) -> np.ndarray:
        r"""$|\sigma|$ where $\log|z|$ is this."""

    @abc.abstractmethod
    def at_price(self, price: np.ndarray) -> np.ndarray:
        r"""$\sigma$ of a price; infinite where no value has it."""

    @abc.abstractmethod
    def rise(self, before: np.ndarray, after: np.ndarray, log_unit: float) -> np.ndarray:
        r"""$p(\text{after}) - p(\text{before})$ times $e^u$ with $u$ the log unit: no digit is lost near $|p| = 1$."""

    @abc.abstractmethod
    def raised(self, sigma: np.ndarray, by: np.ndarray, log_unit: float) -> np.ndarray:
        r"""$\sigma$ after the price rose by $e^{-u}$ times this; infinite where no value has it."""

    def value(self, sigma: np.ndarray, log_scale: np.ndarray) -> np.ndarray:
        r"""$c\,z$ at $\sigma$, from $\log c$."""
        return np.sign(sigma) * np.exp(self.log_answer(np.abs(sigma)) + log_scale)

    def sigma(self, value: np.ndarray, log_scale: np.ndarray) -> np.ndarray:
        r"""$\sigma$ of the value $c\,z$, from $\log c$."""
        with np.errstate(divide="ignore"):
            return np.sign(value) * self.place(np.log(np.abs(value)) - log_scale)

    def entropies(self, value: np.ndarray, log_scale: np.ndarray) -> np.ndarray:
        r"""$c\,\varphi(\beta/c)$ for values $\beta$, from $\log c$: $\beta p - c\,\varphi^*(p)$."""
        sigma = self.sigma(value, log_scale)
        return value * self.price(sigma) - np.exp(self.log_conjugate(np.abs(sigma)) + log_scale)


@dataclass(frozen=True)
class SinhLink(Link):
    r"""Depth 2: $z = 2\sinh p$ and $\sigma = p$; $\varphi^*(p) = 4\sinh^2(p/2)$."""

    @property
    def stiffness(self) -> float:
        """Two."""
        return 2.0

    @property
    def limit(self) -> float:
        """None."""
        return np.inf

    def room(self, sigma: np.ndarray, log_unit: float) -> np.ndarray:
        """No end."""
        return np.full_like(sigma, np.inf)

    def price(self, sigma: np.ndarray) -> np.ndarray:
        """The number itself."""
        return sigma

    def log_answer(self, size: np.ndarray) -> np.ndarray:
        r"""$\log 2\sinh|\sigma|$."""
        return log_sinh(size)

    def log_slope(self, size: np.ndarray) -> np.ndarray:
        r"""$\log 2\cosh\sigma$."""
        return log_cosh(size)

    def log_conjugate(self, size: np.ndarray) -> np.ndarray:
        r"""$2\log 2\sinh(|\sigma|/2)$."""
        return 2 * log_sinh(size / 2)

    def place(self, log_answer: np.ndarray) -> np.ndarray:
        r"""$\sinh^{-1}(z/2)$; $\log z$ far away."""
        return _log_arcsinh(log_answer)

    def at_price(self, price: np.ndarray) -> np.ndarray:
        """The price itself."""
        return price

    def rise(self, before: np.ndarray, after: np.ndarray, log_unit: float) -> np.ndarray:
        """The difference."""
        return (after - before) * np.exp(log_unit)

    def raised(self, sigma: np.ndarray, by: np.ndarray, log_unit: float) -> np.ndarray:
        """The sum."""
        return sigma + by * np.exp(-log_unit)


@dataclass(frozen=True)
class PowerLink(Link):
    r"""Depth $D \ge 3$: $z = (1-p)^{-a} - (1+p)^{-a}$ with $a = D/(D-2)$ and $p = \tanh\sigma$.

    In $\sigma$ the value is $2\cosh^a\!\sigma\,\sinh a\sigma$, and $1 - |p|$ keeps all its digits.
    """

    depth: int

    @property
    def power(self) -> float:
        r"""$a = D/(D-2)$."""
        return self.depth / (self.depth - 2)

    @property
    def stiffness(self) -> float:
        """Twice the power."""
        return 2 * self.power

    @property
    def limit(self) -> float:
        """One."""
        return 1.0

    def room(self, sigma: np.ndarray, log_unit: float) -> np.ndarray:
        r"""$1 - |\tanh\sigma| = e^{-|\sigma|}/\cosh\sigma$, to all digits."""
        return np.exp(_LOG2 - np.abs(sigma) - log_cosh(sigma) + log_unit)

    def price(self, sigma: np.ndarray) -> np.ndarray:
        r"""$\tanh\sigma$."""
        return np.tanh(sigma)

    def log_answer(self, size: np.ndarray) -> np.ndarray:
        r"""$\log 2\cosh^a\!\sigma\,\sinh a|\sigma|$."""
        return self.power * (log_cosh(size) - _LOG2) + log_sinh(self.power * size)

    def log_slope(self, size: np.ndarray) -> np.ndarray:
        r"""$\log 2a\cosh^{a+1}\!\sigma\,\cosh(a+1)\sigma$."""
        high = self.power + 1
        return np.log(self.power) + high * (log_cosh(size) - _LOG2) + log_cosh(high * size)

    def log_conjugate(self, size: np.ndarray) -> np.ndarray:
        r"""$\log\frac{2}{a-1}\left(\cosh^{a-1}\!\sigma\,\cosh(a-1)\sigma - 1\right)$, $\log a\sigma^2$ near zero."""
        low = self.power - 1
        near = np.minimum(size, 1.0)
        small = low * np.log1p(2 * np.sinh(near / 2) ** 2) + np.log1p(2 * np.sinh(low * near / 2) ** 2)
        large = low * (log_cosh(size) - _LOG2) + log_cosh(low * size) - _LOG2
        total = np.where(size < 1, small, large)
        with np.errstate(divide="ignore"):
            far = total + np.log(-np.expm1(-total)) + np.log(2 / low)
            return np.where(size < 1e-8, np.log(self.power) + 2 * np.log(size), far)

    def place(self, log_answer: np.ndarray) -> np.ndarray:
        r"""Newton on $\sinh^{-1}(z/2)$, whose slope in $\sigma$ lies between $a$ and $2a$."""
        a, goal = self.power, _log_arcsinh(log_answer)
        size = np.where(log_answer <= 0, goal / a, (goal + a * _LOG2) / (2 * a))
        for _ in range(6):
            reached = self.log_answer(size)
            residual = _log_arcsinh(reached) - goal
            if not (np.abs(residual) > 4e-16 * goal).any():
                break
            log_speed = self.log_slope(size) - 2 * (log_cosh(size) - _LOG2)
            speed = np.exp(log_speed - np.logaddexp(2 * _LOG2, 2 * reached) / 2)
            size = np.maximum(size - residual / speed, 0.3 * size)
        return size

    def at_price(self, price: np.ndarray) -> np.ndarray:
        r"""$\tanh^{-1}p$."""
        inside = np.abs(price) < 1
        return np.where(inside, np.arctanh(np.where(inside, price, 0.0)), np.copysign(np.inf, price))

    def rise(self, before: np.ndarray, after: np.ndarray, log_unit: float) -> np.ndarray:
        r"""$\sinh(\sigma' - \sigma)/(\cosh\sigma\cosh\sigma')$."""
        change = after - before
        size = log_sinh(np.abs(change)) + _LOG2 - log_cosh(before) - log_cosh(after)
        return np.sign(change) * np.exp(size + log_unit)

    def raised(self, sigma: np.ndarray, by: np.ndarray, log_unit: float) -> np.ndarray:
        r"""By $1 - |p|$ where that is the smaller number, by $p$ elsewhere."""
        size = np.abs(sigma)
        log_room = _LOG2 - size - log_cosh(size)  # log(1 - |p|)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            share = np.sign(sigma) * by * np.exp(-log_unit - log_room)
            share = np.where(by == 0, 0.0, share)
            log_left = log_room + np.log1p(-np.minimum(share, 1 - 1e-16))
            left = np.exp(np.minimum(log_left, _LOG2))
            near = np.sign(sigma) * (np.log(2 - left) - log_left) / 2
            far = self.at_price(np.tanh(sigma) + by * np.exp(-log_unit))
        placed = np.where((left < 0.5) & (size > 0), near, far)
        return np.where(share < 1, placed, np.copysign(np.inf, by))


def _log_arcsinh(log_answer: np.ndarray) -> np.ndarray:
    r"""$\sinh^{-1}(z/2)$ from $\log z$."""
    near = np.minimum(log_answer, 40.0)  # beyond, log z to rounding
    return np.where(log_answer > 40.0, log_answer, np.arcsinh(np.exp(near) / 2))


def link_of(depth: int) -> Link:
    """The link of a depth, 2 or more."""
    return SinhLink() if depth == 2 else PowerLink(depth)
