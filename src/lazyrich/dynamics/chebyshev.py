"""The stabilized explicit solver of second order, for stiff flows whose Jacobian has real eigenvalues."""

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
from jax.flatten_util import ravel_pytree

from ..errors import BadInput
from ..numerics.values import concrete
from ..types import Array, Bool, Float, Int, Scalar
from .meter import Cost, report

# Damping: it keeps |R| below 1 - eps/3 inside the interval of stability, for 2 % of its length.
_EPS = 2 / 13
# The interval is (2/3)(1 - (2/15) eps)(s^2 - 1) long, up to eps^2: between 0.6533 and 0.6544 times s^2 - 1.
_REACH = 0.653
# A power iteration ends when the radius moves by less than this; it takes two products at least, and so many at most.
# From a random vector on a Laplacian in three dimensions, whose spectrum has no gap, it ends 7 % low.
_SETTLED, _PRODUCTS = 0.01, 50
# The share of the last error in each restart. A mode that begins to grow may be invisible to the last vector, but it
# shows in the error, multiplied by h times its eigenvalue.
_FRESH = 0.1
# How often a step may be made before the controller gets to see it.
_TRIES = 3

Field = Callable[[Scalar, Float[Array, " p"]], Float[Array, " p"]]


class Course(eqx.Module):
    """What one step hands to the next: the field here, the dominant direction of its Jacobian, and the last error.

    `age` counts the steps since the radius was estimated, `length` is that of the last step kept.
    """

    rate: Float[Array, " p"]
    vector: Float[Array, " p"]
    error: Float[Array, " p"]
    radius: Scalar
    age: Int[Array, ""]
    length: Scalar


class Chebyshev(dfx.AbstractAdaptiveSolver):
    r"""$y_{n+1} = R_s(hJ)\,y_n$ on linear fields, $|R_s|\le 1$ on $[-0.65(s^2-1), 0]$, of order 2.

    Each step takes as many stages $s$ as its length times the spectral radius of the Jacobian asks for: a step
    $s^2/3$ times as long as the longest of Euler's costs $s$ gradients. The radius comes from a power iteration with
    Jacobian-vector products that goes on where the last one ended, every `refresh` steps or when a step is shorter
    than the last. A step on which the field changes faster than its stages allow is made again with more.
    One that needs more than `max_stages` is refused: its error is infinite, and who keeps it all the same (as constant
    steps do) gets NaN and a failure. `metered` is set by the function of that name. Of order 2, it is meant for
    tolerances from 1e-2 to 1e-6; errors at the end are about `rtol`$^{2/3}$. Gradients go through it forward only.
    Assumes: eigenvalues near the real axis, as a gradient flow has them.    Source: sommeijer1998.
    """

    max_stages: int = 1000
    refresh: int = 10
    safety: float = 1.1
    metered: bool = eqx.field(static=True, default=False)

    term_structure: ClassVar = dfx.ODETerm
    interpolation_cls: ClassVar[Callable[..., dfx.AbstractLocalInterpolation]] = dfx.ThirdOrderHermitePolynomialInterpolation

    def __check_init__(self):
        """Two stages or more, a radius now and then, and none below its estimate."""
        for name, least in (("max_stages", 2), ("refresh", 1), ("safety", 1)):
            given = concrete(getattr(self, name))
            if given is not None and not given >= least:
                raise BadInput(
                    needed=f"Chebyshev needs {name} >= {least}", given=f"{given}", cure="Leave it out for the default."
                )

    def order(self, terms) -> int:
        """Two."""
        return 2

    def error_order(self, terms) -> int:
        r"""Three: the estimate is $h^3y'''/15$ up to higher terms."""
        return 3

    def func(self, terms, t0, y0, args):
        """The field."""
        return terms.vf(t0, y0, args)

    def init(self, terms, t0, t1, y0, args) -> Course:
        """The first field and a random direction, with the estimate of the radius due at once."""
        rate = _along(terms, t0, t1, args)(t0, y0)
        vector = jr.normal(jr.key(0), rate.shape, rate.dtype)
        zero = jnp.zeros((), rate.dtype)
        return Course(rate, vector, jnp.zeros_like(rate), zero, jnp.asarray(self.refresh), zero)

    def step(self, terms, t0, t1, y0, args, solver_state: Course, made_jump):
        """One step of $s$ stages, its error estimate and its cubic interpolant."""
        start, unravel = ravel_pytree(y0)
        length, along = jnp.asarray(t1 - t0, start.dtype), _along(terms, t0, t1, args)

        def field(c, y):
            return along(t0 + c * length, unravel(y))

        rate, asked = solver_state.rate, 0
        if made_jump is not False:
            rate = jax.lax.cond(made_jump, lambda: field(0, start), lambda: solver_state.rate)
            asked = jnp.asarray(made_jump, int)
        # Where the field is not finite, or time no longer moves, no shorter step can help: the run ends here.
        dead = ~(jnp.isfinite(rate).all() & (length > 0))
        # After a rejected step diffrax hands back the state from before it: all that tells of it is a shorter length.
        due = ((solver_state.age >= self.refresh) | (length < solver_state.length)) & ~dead
        vector, radius, products = _dominant(
            lambda v: jax.jvp(lambda y: field(0, y), (start,), (v,))[1],
            solver_state.vector + _FRESH * _unit(solver_state.error),
            solver_state.radius,
            most=jnp.where(due, _PRODUCTS, 0),
        )
        made = self._make(field, start, rate, length, vector, radius, tries=jnp.where(dead, 0, _TRIES))

        lost = dead | made.refused
        error = 0.4 * length * (rate + made.rate) - 0.8 * made.move
        error = jnp.where(lost, jnp.where(dead, 0, jnp.inf), error)
        age = jnp.where(due, 0, solver_state.age) + 1
        course = Course(made.rate, made.vector, error, made.radius, age, length)
        y1 = unravel(jnp.where(lost, jnp.nan, start + made.move))
        failed: Any = dfx.RESULTS.nonfinite
        result = dfx.RESULTS.where(lost, failed, dfx.RESULTS.successful)
        dense = dict(y0=y0, y1=y1, k0=unravel(length * rate), k1=unravel(length * made.rate))
        spread = unravel(error)
        if self.metered:
            spread = report(spread, Cost(asked + made.evaluations, products))
        return y1, spread, dense, course, result

    def _make(self, field: Field, start, rate, length, vector, radius, *, tries) -> "_Made":
        r"""The step with enough stages, and again with more where the field turns out steeper than believed.

        Along a mode that the step amplifies, the secant $\|f_1 - f_0\|/\|y_1 - y_0\|$ is the modulus of its eigenvalue: a
        secant beyond the interval of stability shows both that the power iteration missed a mode, and which.
        """
        precision = jnp.finfo(start.dtype)
        # Moves below half the digits of the state may be rounding, and rounding has no secant.
        visible = jnp.sqrt(precision.eps) * jnp.linalg.norm(start)

        def attempt(made: _Made) -> _Made:
            wanted = jnp.sqrt(1 + self.safety * length * made.radius / _REACH)
            refused = ~(wanted <= self.max_stages)  # and so is a radius that is not a number
            s = jnp.where(refused, 0, jnp.clip(jnp.ceil(wanted), 2, self.max_stages)).astype(int)
            polynomial = _polynomial(jnp.maximum(s, 2).astype(start.dtype))
            move, steep = _stages(field, start, rate, length, s, polynomial)
            moved, change = jnp.linalg.norm(move), steep - rate
            secant = jnp.linalg.norm(change) / jnp.maximum(moved, precision.tiny)
            again = (moved > visible) & (length * secant > polynomial.interval) & jnp.isfinite(secant)
            return _Made(
                move=move,
                rate=steep,
                vector=jnp.where(again, _unit(change), made.vector),
                radius=jnp.where(again, secant, made.radius),
                evaluations=made.evaluations + s,
                left=jnp.where(again, made.left - 1, 0),
                refused=refused,
            )

        nothing = _Made(jnp.zeros_like(start), rate, vector, radius, jnp.asarray(0), tries, jnp.asarray(False))
        return jax.lax.while_loop(lambda made: made.left > 0, attempt, nothing)


def _along(terms, t0, t1, args):
    """The field as one vector, pointing where time goes: its solver's clock runs forward also when time does not."""
    direction = jnp.sign(terms.contr(t0, t1))

    def along(t, y):
        # The barrier keeps the compiler from merging the sums of a gradient into the concatenation of its parts:
        # one such kernel took 0.41 ms of 0.66 on a GPU.
        return ravel_pytree(jax.lax.optimization_barrier(terms.prod(terms.vf(t, y, args), direction)))[0]

    return along


class _Made(NamedTuple):
    """A step: the move and the field at its end, what it taught of the Jacobian, and what it cost."""

    move: Float[Array, " p"]
    rate: Float[Array, " p"]
    vector: Float[Array, " p"]
    radius: Scalar
    evaluations: Int[Array, ""]
    left: Int[Array, ""]
    refused: Bool[Array, ""]


class _Polynomial(NamedTuple):
    r"""$R_s(z) = a_s + b_sT_s(w_0 + w_1z)$, with the length of its interval of stability."""

    w0: Scalar
    w1: Scalar
    interval: Scalar


def _polynomial(s: Scalar) -> _Polynomial:
    r"""$w_0 = 1 + \epsilon/s^2$, $w_1 = T_s'(w_0)/T_s''(w_0)$, and the interval $(1 + w_0)/w_1$, on which $T_s$ is small.

    With $w_0 = \cosh\theta$ we have $T_s = \cosh s\theta$, $T_s' = s\sinh(s\theta)/\sinh\theta$ and
    $(w_0^2 - 1)T_s'' = s^2T_s - w_0T_s'$. Since $s\theta\approx\sqrt{2\epsilon}$ for every $s$, little cancels there.
    """
    excess = _EPS / s**2
    square = excess * (2 + excess)  # w0^2 - 1
    w0, sinh = 1 + excess, jnp.sqrt(square)
    angle = s * jnp.log1p(excess + sinh)
    first = s * jnp.sinh(angle) / sinh
    second = (s**2 * jnp.cosh(angle) - w0 * first) / square
    return _Polynomial(w0, first / second, (1 + w0) * second / first)


class _Stage(NamedTuple):
    """Stage j: how far it has moved, the field there, a, b, and T with two derivatives; before it, what is needed."""

    j: Int[Array, ""]
    move: Float[Array, " p"]
    move_before: Float[Array, " p"]
    rate: Float[Array, " p"]
    a: Scalar
    b: Scalar
    b_before: Scalar
    t: Float[Array, " 3"]
    t_before: Float[Array, " 3"]


def _stages(field: Field, start, rate, length, s, polynomial: _Polynomial):
    r"""$Y_s - Y_0$ and $f(Y_s)$, by the recursion of the Chebyshev polynomials.

    $Y_j(z) = a_j + b_jT_j(w_0 + w_1z)$ with $b_j = T_j''/T_j'^2$ and $a_j = 1 - b_jT_j$ agrees with $e^{c_jz}$ to second
    order, $c_j = w_1T_j''/T_j'$, for every $j\ge 2$. In moves from the state before the step, that state drops out of the
    recursion, and most of the rounding with it.
    """
    w0, w1, _ = polynomial
    b_first = 1 / (2 * w0) ** 2  # b_0 = b_1 = b_2

    def advance(stage: _Stage) -> _Stage:
        j, first = stage.j + 1, stage.j == 0
        twice = jnp.where(first, 1, 2).astype(w0.dtype)  # T_1 = w0 T_0, later T_j = 2 w0 T_(j-1) - T_(j-2)
        inner = jnp.stack([jnp.zeros_like(w0), stage.t[0], 2 * stage.t[1]])  # from the derivatives of w0 T_(j-1)
        t = twice * (w0 * stage.t + inner) - stage.t_before
        b = jnp.where(j < 2, b_first, t[2] / t[1] ** 2)
        push = twice * b * w1 / stage.b
        move = push * (w0 / w1 * stage.move + length * (stage.rate - stage.a * rate)) - b / stage.b_before * stage.move_before
        c = jnp.where(first, w1 * b_first, w1 * t[2] / t[1])
        return _Stage(j, move, stage.move, field(c, start + move), 1 - b * t[0], b, stage.b, t, stage.t)

    still = jnp.zeros_like(start)
    t_0 = jnp.zeros(3, w0.dtype).at[0].set(1)
    zeroth = _Stage(jnp.asarray(0), still, still, rate, 1 - b_first, b_first, b_first, t_0, jnp.zeros_like(t_0))
    last = jax.lax.while_loop(lambda stage: stage.j < s, advance, zeroth)
    return last.move, last.rate


def _dominant(product, vector, radius, *, most):
    r"""The limit of $v\leftarrow Jv/\|Jv\|$ with its $\|Jv\|$, and the number of products, `most` at most."""

    def push(carry):
        vector, radius, _, count = carry
        image = product(vector)
        size = jnp.linalg.norm(image)
        # A zero Jacobian has radius 0 and leaves the vector alone.
        vector = jnp.where(size > 0, _unit(image), vector)
        return vector, size, jnp.abs(size - radius) > _SETTLED * size, count + 1

    def unsettled(carry):
        _, _, moving, count = carry
        return (moving | (count < 2)) & (count < most)

    start = (_unit(vector), radius, jnp.asarray(True), jnp.asarray(0))
    vector, radius, _, count = jax.lax.while_loop(unsettled, push, start)
    return vector, radius, count


def _unit(vector: Float[Array, " p"]) -> Float[Array, " p"]:
    size = jnp.linalg.norm(vector)
    return vector / jnp.where(size > 0, size, 1)
