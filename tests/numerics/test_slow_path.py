"""The slow path: along solutions, downhill, with the least velocity, to the least absolute norm, in exact time."""

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog, lsq_linear

from lazyrich.errors import BadInput
from lazyrich.numerics.slow_path import slow_path
from lazyrich.predictors import MinL1
from lazyrich.problems import Split


def problem(seed: int, n: int, d: int, *, sparsity: int | None = None, whole: bool = False):
    """Equations with an answer drawn freely, planted sparse, or of small whole numbers: full of ties."""
    rng = np.random.default_rng(seed)
    x = rng.integers(-1, 2, (n, d)).astype(float) if whole else rng.standard_normal((n, d)) / np.sqrt(d)
    planted = rng.integers(-1, 2, d).astype(float) if whole else rng.standard_normal(d)
    if sparsity is not None:
        planted[sparsity:] = 0
    return x, x @ planted, rng.standard_normal(d)


def least_norm(x, y) -> float:
    d = x.shape[1]
    return linprog(np.ones(2 * d), A_eq=np.hstack([x, -x]), b_eq=y, method="highs").fun


def least_velocity(x, position) -> np.ndarray:
    """The velocity by bounded least squares on the entries of h at zero: the definition, word for word."""
    project = np.eye(x.shape[1]) - np.linalg.pinv(x) @ x
    zero = position == 0
    known = project @ np.sign(position)
    if not zero.any():
        return -known
    inner = lsq_linear(project[:, zero], -known, bounds=(-1, 1), method="bvls", tol=1e-15, max_iter=10_000).x
    return -(known + project[:, zero] @ inner)


def test_one_free_direction_by_hand():
    z = np.array([2.0, 1.0, 1.0])  # the solutions are a line along z
    x = np.array([[1.0, -2.0, 0.0], [0.0, 1.0, -1.0]])
    path = slow_path(x, x @ np.array([3.0, 1.0, -4.0]), np.array([3.0, 1.0, -4.0]))
    # The speed along z is <h, z> / |z|^2 = (2 + 1 - 1) / 6 until the second entry is zero, at t = 3: then it rests.
    np.testing.assert_allclose(path.times, [0, 3], rtol=1e-14)
    np.testing.assert_allclose(path.end, [1, 0, -5], atol=1e-14)
    np.testing.assert_allclose(path.velocities[0], -z / 3, rtol=1e-14)
    assert path.finished and path.extinction == path.times[-1]
    np.testing.assert_array_equal(path.moving[-1], [True, False, True])


def test_an_entry_goes_straight_through_zero():
    x = np.array([[1.0, -3.0, 0.0], [1.0, 0.0, -3.0]])  # the line along (3, 1, 1)
    start = np.array([4.0, 1.0, 2.0])
    path = slow_path(x, x @ start, start)
    # Speed (3 + 1 + 1) / 11 up to the second entry's zero, then (3 - 1 + 1) / 11 up to that of the first.
    np.testing.assert_allclose(path.times, [0, 11 / 5, 11 / 5 + (1 / 3) * 11 / 3], rtol=1e-13)
    np.testing.assert_allclose(path.end, [0, -1 / 3, 2 / 3], atol=1e-14)
    np.testing.assert_array_equal(np.argwhere(path.crossed), [[1, 1]])


CASES = {
    "generic": problem(0, 6, 15),
    "planted": problem(1, 8, 16, sparsity=2),
    "ties": problem(2, 5, 12, whole=True),
    "dependent equations": (lambda x, y, s: (np.vstack([x, x[:2]]), np.append(y, y[:2]), s))(*problem(3, 5, 12)),
    "columns of zeros": (lambda x, y, s: (np.hstack([x, 0 * x[:, :3]]), y, np.append(s, [1.0, 0, -2])))(*problem(4, 5, 12)),
    "rows of other units": (lambda x, y, s: (x * 10.0 ** np.arange(-4, 4, 2)[:, None], y * 10.0 ** np.arange(-4, 4, 2), s))(
        *problem(5, 4, 9)
    ),
    "from zero answers": (problem(6, 4, 9)[0], np.zeros(4), problem(6, 4, 9)[2]),
    "no equations": (np.zeros((2, 5)), np.zeros(2), problem(8, 2, 5)[2]),
    "no choice": problem(7, 6, 6),
}


@pytest.mark.parametrize(("x", "y", "start"), CASES.values(), ids=CASES.keys())
def test_certificates(x, y, start):
    path = slow_path(x, y, start)
    assert path.finished and path.gap <= 1e-9 and path.feasibility <= 1e-11
    assert (np.diff(path.norms) < 0).all() and (np.diff(path.times) > 0).all()
    assert abs(path.norms[-1] - least_norm(x, y)) <= 1e-8 * (1 + path.norms[-1])
    # The slope of the norm along a segment is minus the squared speed, and the speed never grows.
    speed = np.linalg.norm(path.velocities, axis=1)
    np.testing.assert_allclose(np.diff(path.norms), -(speed[:-1] ** 2) * np.diff(path.times), rtol=1e-7, atol=1e-11)
    assert (np.diff(speed) <= 1e-12).all()
    for position, velocity in zip(path.positions, path.velocities, strict=True):
        np.testing.assert_allclose(velocity, least_velocity(x, position), atol=2e-7)  # the tolerance of bvls


@pytest.mark.parametrize("case", ["generic", "planted"])
def test_it_ends_where_basis_pursuit_does(case):
    x, y, start = CASES[case]
    expected = MinL1().solve(Split(jnp.asarray(x), jnp.asarray(y)))
    assert expected.ok
    np.testing.assert_allclose(slow_path(x, y, start).end, expected.effective, atol=1e-12)


@given(seed=st.integers(0, 10_000), n=st.integers(1, 6), d=st.integers(2, 10), whole=st.booleans())
def test_any_equations(seed, n, d, whole):
    x, y, start = problem(seed, n, d, sparsity=seed % d if whole else None, whole=whole)
    path = slow_path(x, y, start)
    assert path.finished and path.gap <= 1e-8 and path.feasibility <= 1e-11
    assert abs(path.norms[-1] - least_norm(x, y)) <= 1e-8 * (1 + path.norms[-1])


@pytest.mark.parametrize("seed", range(12))
def test_columns_equal_to_seven_digits(seed):
    x, y, start = problem(seed, 4, 10, sparsity=3, whole=True)
    x = np.hstack([x, x[:, :2] + 1e-7 * np.random.default_rng(seed).standard_normal((4, 2))])
    path = slow_path(x, y, np.append(start, [0.3, -0.2]))
    # Velocities of 1e-7 for times of 1e7, or lost in rounding: then the path is cut off, as near the least norm as this.
    assert path.gap <= 1e-6 and path.feasibility <= 1e-6
    assert (np.diff(path.norms) <= 1e-8).all()
    assert abs(path.norms[-1] - least_norm(x, y)) <= 1e-6 * (1 + path.norms[-1])


@given(scale=st.sampled_from([0.25, 8.0]), order=st.permutations(range(15)))
def test_scaling_and_order(scale, order):
    x, y, start = CASES["generic"]
    path = slow_path(x, y, start)
    scaled = slow_path(x, scale * y, scale * start)
    np.testing.assert_allclose(scaled.times, scale * path.times, rtol=1e-12)
    turned = slow_path(x[:, order], y, start[order])
    np.testing.assert_allclose(turned.times, path.times, rtol=1e-9)
    np.testing.assert_allclose(turned.end, path.end[order], atol=1e-12)


def test_two_paths_never_part():
    x, y, start = CASES["generic"]
    one, two = slow_path(x, y, start), slow_path(x, y, start + 0.1 * np.sin(np.arange(15)))
    times = np.linspace(0, max(one.extinction, two.extinction), 50)
    apart = np.linalg.norm(one.at(times) - two.at(times), axis=1)
    assert (np.diff(apart) <= 1e-12).all() and apart[-1] <= 1e-12


def test_positions_between_events():
    x, y, start = CASES["planted"]
    path = slow_path(x, y, start)
    np.testing.assert_array_equal(path.at(path.times), path.positions)
    middle = (path.times[1:] + path.times[:-1]) / 2
    np.testing.assert_allclose(path.at(middle), (path.positions[1:] + path.positions[:-1]) / 2, atol=1e-14)
    np.testing.assert_array_equal(path.at(np.array([1e9])), path.end[None])


def test_time_to_an_error():
    x, y, start = CASES["planted"]
    path = slow_path(x, y, start)
    target = path.end
    when = path.first_within(target, 0.03)
    assert np.linalg.norm(path.at(np.array([when]))[0] - target) == pytest.approx(0.03 * np.linalg.norm(target), rel=1e-9)
    before = path.at(np.linspace(0, when, 50, endpoint=False)) - target
    assert (np.linalg.norm(before, axis=1) > 0.03 * np.linalg.norm(target)).all()
    assert path.first_within(target, 1e9) == 0 and path.first_within(target + 1, 1e-3) == float("inf")


def test_a_path_cut_off_says_so():
    x, y, start = CASES["generic"]
    path = slow_path(x, y, start, max_events=3)
    assert not path.finished and path.times.size == 4 and path.extinction == float("inf")
    assert np.isnan(path.at(np.array([1e9]))).all() and np.isfinite(path.at(path.times)).all()


def test_equations_that_clash_are_refused():
    x, y, start = CASES["generic"]
    with pytest.raises(BadInput, match="equations with a solution"):
        slow_path(np.vstack([x, x[:1]]), np.append(y, y[0] + 1), start)
    for broken in ((x * np.nan, y, start), (x, y * np.nan, start), (x, y, start * np.inf)):
        with pytest.raises(BadInput, match="finite"):
            slow_path(*broken)
