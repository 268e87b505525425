"""The Chebyshev solver: order, stability, error control, economy, and what it does at the edges."""

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optimistix as optx
import pytest
from jax.flatten_util import ravel_pytree
from scipy.integrate import solve_ivp

from lazyrich.dynamics import GradientFlow, Outcome
from lazyrich.dynamics.chebyshev import Chebyshev, _polynomial, _stages
from lazyrich.dynamics.meter import Meter, spent
from lazyrich.errors import BadInput
from lazyrich.losses import Squared
from lazyrich.models import DiagonalNet
from lazyrich.objective import Objective
from lazyrich.problems import Split

STAGES = [2, 3, 5, 10, 50, 100, 250, 1000]


METERED = Chebyshev(metered=True)


def solve(field, y0, until, *, solver=METERED, rtol=1e-4, ts=None, dt=None, args=None, control=None, **options):
    """One run, metered if it is ours: with error control, or with constant steps if `dt` is given."""
    control = control or (dfx.PIDController(rtol=rtol, atol=rtol) if dt is None else dfx.ConstantStepSize())
    control = Meter(control) if isinstance(solver, Chebyshev) else control
    options = {"max_steps": 10_000, "throw": False, "stepsize_controller": control} | options
    save = dfx.SaveAt(ts=ts, t1=ts is None, solver_state=True, controller_state=True)
    return dfx.diffeqsolve(dfx.ODETerm(field), solver, 0.0, until, dt, y0, args, saveat=save, **options)


def ended(solution):
    return bool(dfx.is_successful(solution.result))


def work(solution):
    """Evaluations, a product counting as two."""
    cost = spent(solution)
    return int(cost.evaluations + 2 * cost.products)


class Heat:
    """The heat equation on a line of points: eigenvalues up to 4 (size + 1)^2, and a closed form."""

    def __init__(self, size):
        k = np.arange(1, size + 1)
        self.modes = np.sin(np.pi * np.outer(k, k) / (size + 1)) * np.sqrt(2 / (size + 1))
        self.values = 4 * (size + 1) ** 2 * np.sin(np.pi * k / (2 * (size + 1))) ** 2
        x = k / (size + 1)
        self.start = jnp.asarray(x * (1 - x) * (1 + x**2))

    def field(self, t, y, speed):
        wide = jnp.pad(y, 1)
        return speed * (y.size + 1) ** 2 * (wide[2:] - 2 * y + wide[:-2])

    def at(self, t, speed=1.0):
        return self.modes @ (np.exp(-speed * t * self.values) * (self.modes @ np.asarray(self.start)))


@pytest.fixture(scope="module")
def heat():
    return Heat(100)


TIMES = jnp.array([0.0, 0.01, 0.05, 0.2])


@pytest.fixture(scope="module")
def diffuse(heat):
    """The equation from its start to 0.2, at a tolerance and a speed."""

    run = jax.jit(lambda solver, rtol, speed: solve(heat.field, heat.start, 0.2, solver=solver, rtol=rtol, ts=TIMES, args=speed))
    return lambda rtol, speed, solver=METERED: run(solver, rtol, speed)


@pytest.fixture(scope="module")
def march(heat):
    """The equation from its two slowest modes to 0.02 in constant steps."""
    start = jnp.asarray(heat.modes[:, :2] @ np.array([1.0, 0.5]))
    return jax.jit(lambda dt, solver: solve(heat.field, start, 0.02, dt=dt, args=1.0, max_steps=400, solver=solver))


def off(heat, solution, speed=1.0):
    """The largest error at the saved times."""
    return np.abs(solution.ys - np.stack([heat.at(t, speed) for t in np.asarray(TIMES)])).max()


# The stability polynomial.


@pytest.fixture(scope="module")
def responses():
    """R_s(z) of the recursion, for any s, on a grid of z."""

    def response(z, s):
        polynomial = _polynomial(s.astype(float))
        move, _ = _stages(lambda c, y: z * y, jnp.ones(1), z * jnp.ones(1), jnp.ones(()), s, polynomial)
        return 1 + move[0]

    return jax.jit(jax.vmap(response, (0, None)))


@pytest.mark.parametrize("s", STAGES)
def test_it_is_stable_on_the_real_interval_it_claims(responses, s):
    z = -np.linspace(0, 0.653 * (s**2 - 1), 20_001)
    found = np.abs(np.asarray(responses(jnp.asarray(z), jnp.asarray(s))))
    assert found.max() <= 1 + 1e-12
    # Damped by eps/3 = 0.051 at the far end of the interval and between its waves, once past the first.
    assert found[len(z) // 2 :].max() < 0.96
    assert 0.6533 * (s**2 - 1) <= _polynomial(jnp.asarray(float(s))).interval <= 0.6544 * (s**2 - 1)


@pytest.mark.parametrize("s", STAGES)
def test_the_recursion_is_the_polynomial(responses, s):
    """Against a + b cos(s arccos(w0 + w1 z)), with derivatives of T_s from its differential equation, in numpy."""
    excess = 2 / (13 * s**2)
    w0, sinh = 1 + excess, np.sqrt(excess * (2 + excess))
    angle = s * 2 * np.arcsinh(np.sqrt(excess / 2))
    first = s * np.sinh(angle) / sinh
    second = (s**2 * np.cosh(angle) - w0 * first) / sinh**2
    b = second / first**2
    inside = np.linspace(-1, 1, 20_001)
    z = (inside - w0) * second / first
    expected = 1 - b * np.cosh(angle) + b * np.cos(s * np.arccos(inside))
    # T_s has slope s^2 at -1, where rounding of z is multiplied by it.
    np.testing.assert_allclose(responses(jnp.asarray(z), jnp.asarray(s)), expected, rtol=0, atol=1e-14 * s**2)


# Order.


def slopes(run, until, counts, expected):
    """Errors halve how often when the step is halved?"""
    errors = np.array([np.abs(run(until / n) - expected).max() for n in counts])
    return np.log2(errors[:-1] / errors[1:])


def moving(t, y):
    """A nonlinear field with the solution 2 + cos(t + k), and eigenvalues down to -54."""
    expected = 2 + jnp.cos(t + jnp.arange(3))
    return -2 * (y**3 - expected**3) - jnp.sin(t + jnp.arange(3))


def coupled(t, y):
    """Two populations, and a stiff third unknown that follows their product."""
    return jnp.array([y[0] - y[0] * y[1], y[0] * y[1] - y[1], 40 * (y[0] * y[1] - y[2])])


def test_the_order_is_two_on_a_linear_problem(heat, march):
    """With 17 stages a step at first, 6 at last: what is left of the error depends little on their number."""
    expected = heat.modes[:, :2] @ (np.exp(-0.02 * heat.values[:2]) * np.array([1.0, 0.5]))
    found = slopes(lambda dt: march(dt, METERED).ys[0], 0.02, (5, 10, 20, 40), expected)
    assert np.all((found > 1.85) & (found < 2.15)), found


@pytest.fixture(scope="module")
def walk():
    """Either nonlinear field in constant steps."""

    def field(t, y, kind):
        return jax.lax.switch(kind, (moving, coupled), t, y)

    return jax.jit(lambda kind, start, dt: solve(field, start, 2.0, dt=dt, args=kind, max_steps=400).ys[0])


@pytest.mark.parametrize("kind", [0, 1], ids=["moving", "coupled"])
def test_the_order_is_two_on_a_nonlinear_problem(walk, kind):
    field, start = ((moving, 2 + np.cos(np.arange(3.0))), (coupled, np.array([2.0, 1.0, 0.0])))[kind]
    expected = solve_ivp(lambda t, y: np.asarray(field(t, y)), (0, 2), start, "DOP853", rtol=1e-11, atol=1e-12)
    found = slopes(lambda dt: walk(kind, jnp.asarray(start), dt), 2.0, (80, 160, 320), expected.y[:, -1])
    assert np.all((found > 1.95) & (found < 2.15)), found


# Error control.

TOLERANCES = np.array([1e-3, 1e-4, 1e-5, 1e-6])


def check_control(errors, factor):
    """Local errors of rtol in about rtol^(-1/3) steps add up to rtol^(2/3)."""
    errors = np.asarray(errors)
    assert (errors < factor * TOLERANCES).all(), errors / TOLERANCES
    slope = np.diff(np.log(errors)) / np.diff(np.log(TOLERANCES))
    assert (slope > 0.5).all() and (slope < 0.9).all(), slope


def test_the_error_follows_the_tolerance_on_a_diffusion_equation(heat, diffuse):
    paths = [diffuse(rtol, 1.0) for rtol in TOLERANCES]
    assert all(ended(path) for path in paths)
    # Measured: 0.6 times the tolerance at 1e-3, 9 times at 1e-6.
    check_control([off(heat, path) for path in paths], factor=15)


@pytest.fixture(scope="module")
def objective():
    """Columns of very different sizes: the Hessian at scale 1 has eigenvalues up to 215."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((6, 10)) * 10 ** np.linspace(0.5, -1, 10)
    return Objective(Split(jnp.asarray(x), jnp.asarray(x[:, :3].sum(1))), Squared(), reduction="mean")


MOMENTS = jnp.array([0.0, 1.0, 10.0, 100.0])
NET = DiagonalNet.at_scale(1.0, dim=10)


@pytest.fixture(scope="module")
def expected(objective):
    """The weights at these moments, by an explicit solver of eighth order, to nine digits a step."""
    start, unravel = ravel_pytree(NET)
    slope = jax.jit(lambda y: jax.grad(lambda y: objective(unravel(y)))(y))
    options = {"method": "DOP853", "t_eval": np.asarray(MOMENTS), "rtol": 1e-9, "atol": 1e-11}
    return solve_ivp(lambda t, y: -np.asarray(slope(y)), (0, 100), np.asarray(start), **options).y.T


def test_the_error_follows_the_tolerance_on_a_gradient_flow(objective, expected):
    start, unravel = ravel_pytree(NET)

    def field(t, y, _):
        return -jax.grad(lambda y: objective(unravel(y)))(y)

    run = jax.jit(lambda rtol: solve(field, start, 100.0, rtol=rtol, ts=MOMENTS))
    paths = [run(rtol) for rtol in TOLERANCES]
    assert all(ended(path) for path in paths)
    # Measured: 3 times the tolerance at 1e-3, 30 times at 1e-6.
    check_control([np.abs(path.ys - expected).max() for path in paths], factor=60)


def test_a_gradient_flow_by_name(objective, expected):
    flow = GradientFlow(solver=Chebyshev(), rtol=1e-4, atol=1e-4, reduce=None)

    @jax.jit
    def run(objective, level):
        return flow.run(objective, NET, MOMENTS, stop=lambda net: objective(net) < level)

    path = run(objective, -1.0)
    assert path.outcome.code == Outcome.END and path.outcome.how.endswith("by Chebyshev")
    # An explicit solver of fifth order takes 7,500 steps.
    assert path.outcome.steps < 100
    found = np.concatenate([path.models.u, path.models.v], axis=1)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-3)
    early = run(objective, 1e-3)
    assert early.outcome.code == Outcome.STOPPED and 0 < early.outcome.reached < 10 and objective(early.end) < 1e-3
    broken = run(eqx.tree_at(lambda objective: objective.data.y, objective, objective.data.y * jnp.nan), -1.0)
    assert broken.outcome.code == Outcome.NOT_FINITE and broken.outcome.steps == 1


# Economy.


@pytest.mark.slow
def test_it_beats_an_explicit_solver_of_fifth_order_on_a_stiff_problem(heat, diffuse):
    run = jax.jit(lambda rtol: solve(heat.field, heat.start, 0.2, solver=dfx.Tsit5(), rtol=rtol, ts=TIMES, args=1.0))
    # Six evaluations a step; its steps are as short at any tolerance, so that the least of all its runs is fair.
    runs = [(off(heat, path), 6 * int(path.stats["num_steps"])) for path in map(run, (1e-2, 1e-3, 1e-4, 1e-5))]
    for rtol in (1e-3, 1e-4, 1e-5):
        path = diffuse(rtol, 1.0)
        equal = min(cost for error, cost in runs if error <= off(heat, path))
        assert equal > 5 * work(path), (rtol, equal, work(path))


def test_the_radius_is_found_and_kept_with_few_products(heat, diffuse):
    path = diffuse(1e-6, 1.0)
    radius, steps = float(path.solver_state.radius), int(path.stats["num_steps"])
    assert 0.97 * heat.values[-1] < radius <= heat.values[-1] * (1 + 1e-12)
    # Two products in ten steps and after each step that was not kept, and some more to find the first.
    assert spent(path).products <= 2 * (steps / 10 + 2 * path.stats["num_rejected_steps"]) + 50


def test_a_mode_that_overtakes_unseen_is_found():
    """Two unknowns apart: a power iteration that ended on the first never sees the second by itself."""

    def field(t, y, apart):
        falling, rising = 1e4 * jnp.exp(-4 * t), 10 * jnp.exp(4 * t)
        return -jnp.array([falling + (1 - apart) * rising, rising + (1 - apart) * falling]) * (y - jnp.cos(t))

    run = jax.jit(lambda apart: solve(field, jnp.ones(2), 2.0, rtol=1e-4, args=apart))
    apart, together = run(1.0), run(0.0)
    assert ended(apart) and ended(together)
    assert apart.solver_state.radius > 0.7 * 10 * np.exp(8)
    np.testing.assert_allclose(apart.ys[0, 1], np.cos(2.0), rtol=0, atol=1e-3)
    assert work(apart) < 1.5 * work(together)


def test_a_step_that_turns_out_unstable_is_made_again():
    solver, term = Chebyshev(), dfx.ODETerm(lambda t, y, _: -jnp.array([1.0, 1e4]) * (y - 1))
    y0 = jnp.array([2.0, 1.001])
    course = jax.jit(lambda t1: solver.init(term, jnp.zeros(()), t1, y0, None))(0.1)
    wrong = eqx.tree_at(lambda c: (c.radius, c.vector, c.age), course, (jnp.ones(()), jnp.array([1.0, 0.0]), jnp.asarray(0)))
    step = jax.jit(lambda t1, course: solver.step(term, jnp.zeros(()), t1, y0, None, course, False))
    y1, error, _, taught, result = step(0.1, wrong)
    assert result == dfx.RESULTS.successful
    np.testing.assert_allclose(taught.radius, 1e4, rtol=0.01)
    np.testing.assert_allclose(np.abs(taught.vector), [0, 1], atol=0.01)
    np.testing.assert_allclose(y1, [1 + np.exp(-0.1), 1.0], rtol=0, atol=1e-3)
    assert np.abs(error).max() < 1


# Shapes and transformations.


@pytest.mark.slow
def test_mapped_over_members_of_different_stiffness(heat, diffuse):
    speeds = jnp.array([1e-4, 0.03, 1.0, 30.0])
    paths = jax.jit(jax.vmap(diffuse, (None, 0)))(1e-4, speeds)
    for index, speed in enumerate(np.asarray(speeds)):
        alone, one = diffuse(1e-4, speed), jax.tree.map(lambda part, index=index: part[index], paths)
        np.testing.assert_allclose(one.ys, alone.ys, rtol=0, atol=1e-10)
        assert spent(one) == spent(alone) and one.stats["num_steps"] == alone.stats["num_steps"]
        assert off(heat, alone, speed) < 5e-4
    assert paths.ys.dtype == jnp.float64 and (np.diff(spent(paths).evaluations) > 0).all()


def test_any_tree_through_a_jump_to_an_event():
    """A scalar, a matrix and an empty place fall towards 0, from time 0.3 on towards -0.2, until the scalar is 0.5."""
    scales = {"one": jnp.asarray(1.0), "matrix": jnp.array([[1e1, 1e2], [1e3, 1e4]]), "none": None}

    def field(t, y, _):
        return jax.tree.map(lambda part, scale: -scale * (part + jnp.where(t < 0.3, 0, 0.2)), y, scales)

    control = dfx.ClipStepSizeController(dfx.PIDController(rtol=1e-6, atol=1e-6), jump_ts=jnp.array([0.3]))
    event = dfx.Event(lambda t, y, args, **kw: y["one"] - 0.5, optx.Newton(1e-10, 1e-10))
    path = jax.jit(lambda: solve(field, jax.tree.map(jnp.ones_like, scales), 5.0, control=control, event=event))()
    assert path.result == dfx.RESULTS.event_occurred
    np.testing.assert_allclose(path.ts[0], 0.3 + np.log((np.exp(-0.3) + 0.2) / 0.7), rtol=1e-4)
    assert path.ys["one"].dtype == jnp.float64 and path.ys["none"] is None
    np.testing.assert_allclose(path.ys["one"], [0.5], rtol=1e-8)
    np.testing.assert_allclose(path.ys["matrix"][0, 1], -0.2, rtol=0, atol=1e-5)


# Edges.


@pytest.fixture(scope="module")
def one():
    """One unknown from `start` to `until`: y' = a y + b, y' = -sqrt(y), or y' = a (y - cos t) - sin t."""

    def field(t, y, args):
        kind, a, b = args
        return jnp.select([kind == 0, kind == 1], [a * y + b, -jnp.sqrt(y)], a * (y - jnp.cos(t)) - jnp.sin(t))

    run = jax.jit(lambda start, until, *args: solve(field, jnp.full(1, start), until, args=args, max_steps=1_000))
    return lambda *args, start=1.0, until=4.0: run(start, until, *args)


@pytest.mark.parametrize("a, b", [(0.0, 0.0), (0.0, 2.0), (-1e-9, 0.0), (-1e4, 1e4), (-1e4, 0.0), (2.0, 0.0), (2.0, -1.0)])
def test_one_unknown(one, a, b):
    path = one(0, a, b)
    expected = 1 + 4 * b if a == 0 else (1 + b / a) * np.exp(4 * a) - b / a
    assert ended(path) and spent(path).evaluations < 2_000
    # Errors of a growing mode grow with it: rtol 1e-4 in each of some hundred steps.
    np.testing.assert_allclose(path.ys[0, 0], expected, rtol=1e-2, atol=1e-4)
    assert path.solver_state.radius == pytest.approx(abs(a))


def test_backward_in_time(one):
    path = one(2, 1e3, 0.0, until=-2.0)
    assert ended(path) and path.stats["num_steps"] < 100
    np.testing.assert_allclose(path.ys[0, 0], np.cos(2.0), rtol=0, atol=1e-3)


@pytest.mark.parametrize("a, b", [(np.nan, 0.0), (np.inf, 0.0), (1.0, np.nan)])
def test_a_field_that_is_not_finite_ends_the_run(one, a, b):
    path = one(0, a, b)
    assert path.result == dfx.RESULTS.nonfinite and path.stats["num_steps"] == 1
    assert np.isnan(np.asarray(path.ys)).all()


def test_neither_the_end_of_a_domain_nor_a_start_that_is_not_finite_hangs(one):
    domain, start = one(1, 0.0, 0.0), one(0, -1.0, 0.0, start=jnp.nan)
    assert not ended(domain) and domain.stats["num_steps"] < 1_000
    assert not ended(start) and spent(start) == (1, 0)


def test_a_step_beyond_all_stages_is_refused(heat, diffuse, march):
    few = Chebyshev(max_stages=5, metered=True)
    for dt, fits in ((0.02 / 100, True), (0.02 / 20, False)):
        path = march(dt, few)
        assert ended(path) == fits and np.isfinite(np.asarray(path.ys)).all() == fits
    # Under error control steps become short enough instead: none is longer than five stages reach.
    path = diffuse(1e-4, 1.0, few)
    assert ended(path) and path.stats["num_accepted_steps"] > 0.2 * heat.values[-1] / (0.653 * 24)
    assert off(heat, path) < 5e-4
    assert spent(path).evaluations <= 5 * path.stats["num_steps"] + 1


@pytest.mark.parametrize("wrong", [{"max_stages": 1}, {"refresh": 0}, {"safety": 0.9}], ids=str)
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadInput, match=next(iter(wrong))):
        Chebyshev(**wrong)
