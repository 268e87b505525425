"""The reduction is exact: its field and the plain flow of U and V, each followed by scipy, lead through the same matrix."""

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from lazyrich.dynamics import GradientFlow
from lazyrich.dynamics.reduced import reduced_form
from lazyrich.dynamics.reduced.completion import CompletionForm
from lazyrich.errors import BadInput
from lazyrich.inits import noisy_identity
from lazyrich.losses import Logistic, Squared
from lazyrich.models import DiagonalNet, SymmetricMap, SymmetricNet
from lazyrich.objective import Objective
from lazyrich.problems import Entries, Split, low_rank_matrix
from lazyrich.regularizers import L1, L2

DIM = 6
TIMES = np.array([0.0, 0.1, 0.5, 2.0, 8.0])
DATA = low_rank_matrix(jr.key(0), d=DIM, rank=2, negative=1, train_fraction=0.4).train
SIGNS = eqx.tree_at(lambda data: data.y, DATA, jnp.sign(DATA.y))
# A place known twice with two answers, one with its transpose, one on the diagonal.
TWICE = Entries(jnp.array([0, 1, 2, 2, 3, 4]), jnp.array([1, 0, 4, 4, 3, 5]), jnp.array([1.0, 1.0, -2.0, 0.5, 0.7, 0.3]), (6, 6))
FIELD = jax.jit(lambda form, clock, state: form.field(clock, state, None))


def turned(kappa: float) -> SymmetricNet:
    """A start other than the identity that has U^T V = kappa I."""
    u = 0.8 * np.eye(DIM) + 0.2 * np.random.default_rng(1).standard_normal((DIM, DIM))
    return SymmetricNet(jnp.asarray(u), jnp.asarray(kappa * np.linalg.inv(u).T))


def slope(loss: str, f: np.ndarray, y: np.ndarray) -> np.ndarray:
    return {"Squared": 2 * (f - y), "Logistic": -y / (1 + np.exp(y * f))}[loss]


def plain(objective: Objective, init: SymmetricNet, times: np.ndarray, weight_decay: float) -> tuple[np.ndarray, np.ndarray]:
    """U and V by the formulas of lyu2024, section 2.4, for the sum over the known entries, weighted."""
    data, weight = objective.data, objective.weight
    rows, cols, y = (np.asarray(part) for part in (data.rows, data.cols, data.y))

    def field(_, theta):
        u, v = theta.reshape(2, DIM, DIM)
        w = u @ u.T - v @ v.T
        pull = np.zeros_like(w)
        np.add.at(pull, (rows, cols), weight * slope(type(objective.loss).__name__, w[rows, cols], y))
        pull = pull + pull.T
        return np.stack([-pull @ u - weight_decay * u, pull @ v - weight_decay * v]).ravel()

    first = np.stack(init.parameters()).ravel()
    found = solve_ivp(field, (0, times[-1]), first, method="DOP853", t_eval=times, rtol=1e-12, atol=1e-14)
    assert found.success
    u, v = np.moveaxis(found.y.T.reshape(-1, 2, DIM, DIM), 1, 0)
    return u, v


def follow(form: CompletionForm, times: np.ndarray, method: str = "DOP853"):
    found = solve_ivp(
        lambda clock, state: np.asarray(FIELD(form, clock, state)),
        (0, times[-1]),
        np.asarray(form.state()),
        method=method,
        t_eval=times,
        rtol=1e-11,
        atol=1e-13,
    )
    assert found.success
    clocks, states = jnp.asarray(times), jnp.asarray(found.y.T)
    return jax.vmap(form.model)(clocks, states), jax.vmap(form.certificates)(clocks, states)


@pytest.mark.parametrize(
    ("data", "loss", "reduction", "weight_decay", "init"),
    [
        (DATA, Squared(), "mean", 0.05, SymmetricNet.at_scale(0.8, dim=DIM)),
        (DATA, Squared(), "sum", 0.0, SymmetricNet.at_scale(0.5, dim=DIM)),
        (TWICE, Squared(), "half_sum", 0.1, turned(0.2)),
        (SIGNS, Logistic(), "mean", 0.05, turned(0.5)),
    ],
    ids=["mean with decay", "sum without decay", "known twice", "logistic"],
)
def test_it_is_the_plain_flow(data, loss, reduction, weight_decay, init):
    objective = Objective(data, loss, reduction=reduction, penalties=[(L2(), weight_decay)])
    assert CompletionForm.why_not(objective, init) is None
    nets, certificates = follow(CompletionForm.of(objective, init), TIMES)
    u, v = plain(objective, init, TIMES, weight_decay)
    expected = u @ np.moveaxis(u, 1, 2) - v @ np.moveaxis(v, 1, 2)
    # Both to 1e-11 a step, some hundred steps.
    np.testing.assert_allclose(nets.w, expected, rtol=0, atol=1e-8 * np.abs(expected).max())
    np.testing.assert_array_equal(nets.w, np.moveaxis(nets.w, 1, 2))
    kappa = np.trace(init.u.T @ init.v) / DIM * np.exp(-2 * weight_decay * TIMES)
    np.testing.assert_allclose(nets.kappa, kappa, rtol=1e-13)
    # U^T V = kappa I along the plain flow.
    np.testing.assert_allclose(np.moveaxis(u, 1, 2) @ v, kappa[:, None, None] * np.eye(DIM), rtol=0, atol=1e-9)
    norms = [float(sum(jnp.sum(part**2) for part in jax.tree.map(lambda x, i=i: x[i], nets).parameters())) for i in range(5)]
    np.testing.assert_allclose(norms, np.sum(u**2 + v**2, axis=(1, 2)), rtol=1e-8)
    assert (np.asarray(certificates["conservation"]) <= 1e-9).all()


def test_the_certificate_sees_a_matrix_that_drifted():
    objective = Objective(DATA, Squared(), reduction="mean", penalties=[(L2(), 0.05)])
    form = CompletionForm.of(objective, turned(0.5))
    state = form.state()
    assert form.certificates(jnp.zeros(()), state)["conservation"] == 0
    drifted = form.certificates(jnp.zeros(()), state.at[0].add(1e-3))["conservation"]
    assert 1e-6 < drifted < 1e-2


def test_it_starts_where_the_net_starts():
    objective, init = Objective(DATA, Squared(), reduction="mean"), turned(0.3)
    form = CompletionForm.of(objective, init)
    assert form.state().shape == (DIM * (DIM + 1) // 2 + 1,)
    np.testing.assert_allclose(form.model(jnp.zeros(()), form.state()).w, init.effective(), rtol=1e-15)
    assert form.how == "exact reduction of a symmetric net to 21 entries of its matrix"
    again = CompletionForm.of(objective, SymmetricMap(init.effective(), jnp.asarray(0.3)))
    np.testing.assert_allclose(again.state(), form.state(), rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(form.clock(jnp.asarray(TIMES)), form.time(jnp.asarray(TIMES)))


def test_leading_order_of_the_entries_never_observed():
    # While the known entries fill at one rate, W = c W_k and R = W^2 / 4 kappa: then the others are (W_k^3) / 24 kappa^2
    # at every moment, up to a share of |W_k|^2 / kappa^2 and of n decay / 8 kappa.
    alpha, weight_decay = 2.0, 1e-4
    rows, cols = np.array([0, 1, 0, 2, 3, 4]), np.array([1, 2, 2, 3, 4, 5])
    y = np.array([0.1, -0.05, 0.08, 0.1, 0.06, -0.1])
    data = Entries(jnp.asarray(rows), jnp.asarray(cols), jnp.asarray(y), (DIM, DIM))
    objective = Objective(data, Squared(), reduction="mean", penalties=[(L2(), weight_decay)])
    nets, _ = follow(
        CompletionForm.of(objective, SymmetricNet.at_scale(alpha, dim=DIM)),
        np.array([0.0, 0.05, 0.3, 0.6]) / weight_decay,
        "LSODA",
    )
    kernel = np.zeros((DIM, DIM))
    kernel[rows, cols] = kernel[cols, rows] = y
    off = (kernel == 0) & (np.linalg.matrix_power(kernel, 3) != 0)
    assert off.any()
    expected = np.linalg.matrix_power(kernel, 3)[off] / (24 * np.asarray(nets.kappa)[1:, None] ** 2)
    found = np.asarray(nets.w)[1:, off]
    np.testing.assert_allclose(found, expected, rtol=0.005)


def test_compiled_and_mapped_over_the_scale():
    objective = Objective(DATA, Squared(), reduction="mean", penalties=[(L2(), 0.05)])
    times = jnp.array([0.0, 1.0])

    def run(alpha):
        flow = GradientFlow(dfx.Tsit5(), rtol=1e-8, atol=1e-10, reduce=True)
        return flow.run(objective, SymmetricMap.at_scale(alpha, dim=DIM), times, read={"w": lambda net: net.effective()})

    alphas = [0.4, 0.8]
    paths = jax.jit(jax.vmap(run))(jnp.array(alphas))
    assert paths.outcome.ok.all() and "symmetric net" in paths.outcome.how
    for alpha, found in zip(alphas, paths.reads["w"][:, -1], strict=True):
        u, v = plain(objective, SymmetricNet.at_scale(alpha, dim=DIM), np.asarray(times), 0.05)
        np.testing.assert_allclose(found, u[-1] @ u[-1].T - v[-1] @ v[-1].T, rtol=0, atol=1e-6)


IDENTITY = SymmetricNet.at_scale(0.5, dim=DIM)
FAILING = {
    "model": (DiagonalNet.at_scale(0.5, dim=DIM), DATA, [], "the model is DiagonalNet, not a SymmetricNet"),
    "data": (IDENTITY, Split(jnp.ones((2, DIM)), jnp.ones((2, DIM))), [], "the data are not entries of a matrix"),
    "shape": (SymmetricNet.at_scale(0.5, dim=7), DATA, [], "the entries are of a matrix of shape (6, 6)"),
    "penalty": (IDENTITY, DATA, [(L1(), 0.1)], "a penalty is not L2"),
    "square": (SymmetricNet(IDENTITY.u[:, :3], IDENTITY.v[:, :3]), DATA, [], "U and V are of shape (6, 3), not square"),
    "noise": (noisy_identity(jr.key(0), IDENTITY, 0.5, noise=0.1), DATA, [], "U^T V is not a multiple of the identity"),
    "sign": (SymmetricNet(IDENTITY.u, -IDENTITY.v), DATA, [], "U^T V has the mean diagonal -0.25, not a positive one"),
    "zero": (SymmetricMap.at_scale(0.0, dim=DIM), DATA, [], "kappa is not positive"),
}


@pytest.mark.parametrize(("init", "data", "penalties", "why"), FAILING.values(), ids=FAILING.keys())
def test_what_has_no_reduction_is_refused_by_the_hypothesis_that_fails(init, data, penalties, why):
    objective = Objective(data, Squared(), reduction="mean", penalties=penalties)
    assert f"CompletionForm: {why}" in str(reduced_form(objective, init))


def test_a_traced_start_is_not_taken_on_trust():
    objective = Objective(DATA, Squared(), reduction="mean")

    @jax.jit
    def expected(net):
        with pytest.raises(BadInput, match="U and V are traced"):
            GradientFlow(reduce=True).run(objective, net, jnp.array([0.0, 1.0]))
        return net

    expected(IDENTITY)
