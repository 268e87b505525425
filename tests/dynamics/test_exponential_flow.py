import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from lazyrich.dynamics import ExponentialFlow, GradientDescent, loss_below
from lazyrich.errors import BadInput
from lazyrich.inits import he
from lazyrich.losses import Logistic, Squared
from lazyrich.models import DiagonalNet, Doubled, ReluNet
from lazyrich.objective import Objective
from lazyrich.problems import Entries, Split, circle_teacher
from lazyrich.regularizers import L2

RNG = np.random.default_rng(0)
DATA = Split(jnp.asarray(RNG.standard_normal((4, 9))), jnp.asarray(RNG.standard_normal(4)))


@pytest.mark.parametrize(("reduction", "weight"), [("sum", 1.0), ("mean", 0.25)], ids=["sum", "mean"])
def test_a_linear_model_is_followed_exactly(reduction, weight, plain):
    objective, init = Objective(DATA, Squared(), reduction=reduction), plain(RNG.standard_normal(9).tolist())
    path = ExponentialFlow().run(objective, init, [0, 1, 3, 7])
    x, y, w = np.asarray(DATA.x), np.asarray(DATA.y), np.asarray(init.weights)
    values, vectors = np.linalg.eigh(x.T @ x)
    for at, log_time in enumerate(path.reads["log_time"]):
        fall = np.exp(-2 * weight * np.exp(log_time) * values)
        limit = w - np.linalg.pinv(x) @ (x @ w - y)
        wanted = limit + vectors @ (fall * (vectors.T @ (w - limit)))
        np.testing.assert_allclose(path.at(at).weights, wanted, atol=1e-11)
    assert path.certificates["refused"] == 0


def test_it_is_the_flow_of_a_diagonal_net():
    objective, init = Objective(DATA, Squared(), reduction="sum"), DiagonalNet.at_scale(0.3, dim=9, depth=3)
    x, y = np.asarray(DATA.x), np.asarray(DATA.y)

    def field(_, state):
        slope = 2 * x.T @ (x @ (state[:9] ** 3 - state[9:] ** 3) - y)
        return np.concatenate([-3 * state[:9] ** 2 * slope, 3 * state[9:] ** 2 * slope])

    path = ExponentialFlow(0.005).run(objective, init, jnp.arange(300))
    at = int(np.searchsorted(path.reads["log_time"], 0.0))
    time = float(np.exp(path.reads["log_time"][at]))
    state = solve_ivp(field, (0.0, time), np.full(18, 0.3), rtol=1e-10, atol=1e-12).y[:, -1]
    found = np.concatenate([path.at(at).u, path.at(at).v])
    # Steps may be off by rtol of the path before they are extrapolated.
    assert np.linalg.norm(found - state) < 0.005 * np.linalg.norm(state - 0.3)


def test_it_ends_where_small_steps_of_descent_end():
    data = circle_teacher(jr.key(3), n=4, test=64)
    objective = Objective(data.train, Squared(), reduction="sum")
    init = Doubled.of(he(jr.key(1), (2, 12, 1), alpha=0.5, law="uniform"))
    stop = loss_below(objective, 1e-9)
    slow = GradientDescent(2e-3).run(objective, init, jnp.arange(0, 400_001, 1_000), read={}, stop=stop)
    fast = ExponentialFlow().run(objective, init, jnp.arange(0, 2_001, 20), read={}, stop=stop)
    assert float(objective(slow.end)) < 1e-9 and float(objective(fast.end)) < 1e-9
    expected, found = (jax.vmap(path.end)(data.test.x) for path in (slow, fast))
    # Kinks are crossed: first order, of the size of rtol.
    assert float(jnp.abs(found - expected).max()) < 0.02 * float(jnp.abs(expected).max())
    assert fast.outcome.steps < slow.outcome.steps / 10


def test_a_kernel_of_condition_1e12_costs_nothing(plain):
    x = jnp.asarray(np.diag([1.0, 1e-3, 1e-6]))
    objective = Objective(Split(x, jnp.ones(3)), Squared(), reduction="sum")
    path = ExponentialFlow().run(objective, plain([0.0, 0.0, 0.0]), [0, 60])
    np.testing.assert_allclose(path.end.weights, [1.0, 1e3, 1e6], rtol=1e-9)


def test_a_dead_net_stays():
    dead = ReluNet.at_zero((9, 5, 1))
    objective = Objective(DATA, Squared(), reduction="sum")
    path = ExponentialFlow().run(objective, dead, [0, 5, 600])
    assert path.outcome.ok and all(not np.any(part) for part in jax.tree.leaves(path.end))


def test_what_it_does_not_fit_is_refused():
    signs = Split(DATA.x, jnp.sign(DATA.y))
    entries = Entries(jnp.array([0]), jnp.array([0]), jnp.ones(1), (2, 2))
    for objective in (
        Objective(signs, Logistic(), reduction="sum"),
        Objective(DATA, Squared(), reduction="sum", penalties=[(L2(), 0.1)]),
        Objective(entries, Squared(), reduction="sum"),
    ):
        with pytest.raises(BadInput, match="ExponentialFlow"):
            ExponentialFlow().run(objective, DiagonalNet.at_scale(0.3, dim=9), [0, 1])
    with pytest.raises(BadInput, match="rtol"):
        ExponentialFlow(rtol=0.0)
