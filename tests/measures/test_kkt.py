import cvxpy as cp
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.dynamics import GradientFlow
from lazyrich.errors import BadInput
from lazyrich.lab.simulations.diagonal_classification import make_separated
from lazyrich.losses import Exponential
from lazyrich.measures import decay_residual, interpolation_kkt, margin_kkt
from lazyrich.models import DiagonalNet, LinearNet, LogDiagonalNet, tangent
from lazyrich.objective import Objective
from lazyrich.predictors import KernelInterpolant, KernelMaxMargin, MaxMargin, MaxMarginMulticlass, MinL1
from lazyrich.problems import Split, sparse_classification, sparse_recovery
from lazyrich.regularizers import L2

SIGNS = sparse_classification(jr.key(0), n=8, d=12, test=0).train
REALS = sparse_recovery(jr.key(0), n=8, d=12, sparsity=3, test=0).train


def some_net(key, depth: int) -> LogDiagonalNet:
    return LogDiagonalNet(0.3 * jr.normal(key, (7,)), 0.2 * jr.normal(jr.fold_in(key, 1), (7,)), depth)


def balanced(w) -> DiagonalNet:
    """The net of depth 2 of least norm with the linear map w."""
    return DiagonalNet(jnp.sqrt(jnp.maximum(w, 0.0)), jnp.sqrt(jnp.maximum(-w, 0.0)))


def stepped(model, h):
    moving, fixed = eqx.partition(model, eqx.is_inexact_array)
    flat, back = jax.flatten_util.ravel_pytree(moving)
    return eqx.combine(back(flat + h), fixed)


def test_the_largest_l1_margin_is_a_kkt_point_of_the_diagonal_net():
    net = balanced(MaxMargin("l1").solve(SIGNS).effective)
    for scale in (1.0, 1e-6, 1e6):
        expected = margin_kkt(DiagonalNet(scale * net.u, scale * net.v), SIGNS)
        # Slackness meets margins that the program made equal to 1e-10.
        assert (
            expected.stationarity < 1e-9 and expected.slackness < 1e-9 and expected.feasibility == 0 and expected.cosine < 1e-18
        )
    # ||theta||^2 = D sum mu_i q_i at a KKT point, with margins of 1.
    expected = margin_kkt(net, SIGNS)
    size = float(sum(jnp.sum(part**2) for part in net.parameters()))
    assert 2 * expected.multipliers.sum() == pytest.approx(size, rel=1e-8)


def test_the_l2_margin_is_none():
    expected = margin_kkt(balanced(MaxMargin("l2").solve(SIGNS).effective), SIGNS)
    assert expected.stationarity > 0.05


def test_stationarity_agrees_with_a_cone_solver():
    net = DiagonalNet(*jr.normal(jr.key(1), (2, 12)), 3)
    expected = margin_kkt(net, SIGNS)
    rows = np.asarray(SIGNS.y[:, None] * tangent.features(net, SIGNS.x))
    theta = np.concatenate(net.parameters())
    mu = cp.Variable(8, nonneg=True)
    cone = cp.Problem(cp.Minimize(cp.norm(rows.T @ mu - theta))).solve(solver="CLARABEL") / np.linalg.norm(theta)
    assert expected.sine == pytest.approx(cone, rel=1e-5) and 0 < cone < 1
    assert cone * (1 - 1e-6) <= expected.stationarity < 1
    assert expected.cosine == pytest.approx(1 - np.sqrt(1 - cone**2), rel=1e-4)
    order = np.argsort(np.asarray(SIGNS.y * (SIGNS.x @ net.effective())))
    reached = np.linalg.norm(rows[order].T @ np.asarray(expected.multipliers) - theta) / np.linalg.norm(theta)
    assert reached == pytest.approx(float(expected.stationarity), rel=1e-9)


def test_a_misfit_is_not_feasible():
    expected = margin_kkt(balanced(-jnp.asarray(MaxMargin("l1").solve(SIGNS).effective)), SIGNS)
    assert expected.feasibility >= 1 and expected.slackness == 1
    still = margin_kkt(DiagonalNet(jnp.zeros(12), jnp.zeros(12)), SIGNS)
    assert still.stationarity == 1 and still.feasibility >= 1


@pytest.mark.parametrize("model", [DiagonalNet.at_scale(0.7, dim=12, depth=3), eqx.nn.MLP(12, "scalar", 6, 1, key=jr.key(0))])
def test_the_kernel_margin_is_a_kkt_point_of_its_own_problem(model):
    expected = KernelMaxMargin(model).solve(SIGNS)
    h = tangent.combined(model, SIGNS.x, jnp.asarray(expected.effective))
    residual = margin_kkt(stepped(model, h), SIGNS, init=model)
    assert residual.stationarity < 1e-8 and residual.slackness < 1e-8 and residual.feasibility == 0
    shrunk = jax.tree.map(lambda end, begin: end - 0.5 * begin if eqx.is_inexact_array(end) else end, stepped(model, h), model)
    assert margin_kkt(shrunk, SIGNS, init=model, shrink=0.5).stationarity < 1e-8
    assert margin_kkt(shrunk, SIGNS, init=model).stationarity > 0.1


def test_the_kernel_interpolant_is_a_kkt_point_of_its_own_problem():
    model = eqx.nn.MLP(12, "scalar", 6, 1, key=jr.key(0))
    expected = KernelInterpolant(model).solve(REALS)
    h = tangent.combined(model, REALS.x, jnp.asarray(expected.effective))
    residual = interpolation_kkt(stepped(model, h), REALS, init=model)
    assert residual.stationarity < 1e-8 and residual.feasibility < 1e-8
    np.testing.assert_allclose(residual.multipliers, expected.effective, rtol=1e-6)


def test_least_l1_is_a_kkt_point_of_interpolation():
    expected = interpolation_kkt(balanced(MinL1().solve(REALS).effective), REALS)
    assert expected.stationarity < 1e-8 and expected.feasibility < 1e-8
    off = interpolation_kkt(balanced(REALS.x[0]), REALS)
    assert off.stationarity > 0.01 and off.feasibility > 0.01
    with pytest.raises(BadInput, match="targets of the same shape"):
        interpolation_kkt(LinearNet.at_zero(dim=12, outputs=2, width=2), REALS)


def test_several_classes():
    rng = np.random.default_rng(0)
    x, y = jnp.asarray(rng.normal(size=(10, 6))), jnp.asarray(rng.integers(0, 3, size=10).astype(float))
    expected = MaxMarginMulticlass().solve(Split(x, y))
    model = eqx.nn.Linear(6, 3, use_bias=False, key=jr.key(0))
    best = eqx.tree_at(lambda model: model.weight, model, jnp.asarray(expected.effective.T))
    residual = margin_kkt(best, Split(x, y))
    assert residual.multipliers.shape == (20,)
    assert residual.stationarity < 1e-9 and residual.slackness < 1e-9 and residual.feasibility == 0
    # The dual has length one as a direction; the matrix has the length of the value.
    assert residual.multipliers.sum() == pytest.approx(expected.dual.sum() * expected.value, rel=1e-8)
    assert margin_kkt(model, Split(x, y)).stationarity > 0.1
    # Fewer constraints, less to combine.
    shares = [float(margin_kkt(model, Split(x, y), most=most).sine) for most in (1, 5, 20)]
    assert shares[0] >= shares[1] >= shares[2] and shares[0] > shares[2]


def test_read_along_a_run():
    objective = Objective(SIGNS, Exponential(), reduction="mean", penalties=[(L2(), 1e-2)])
    init = DiagonalNet.at_scale(2.0, dim=12)
    read = {
        "rich": lambda net: margin_kkt(net, SIGNS).stationarity,
        "lazy": lambda net: margin_kkt(net, SIGNS, init=init, shrink=net.u[0] * 0 + 1).stationarity,
    }
    path = GradientFlow(reduce=None).run(objective, init, jnp.array([0.0, 1.0, 1000.0]), read=read)
    rich, lazy = np.asarray(path.reads["rich"]), np.asarray(path.reads["lazy"])
    assert rich[0] > 0.3 and rich[-1] < 0.05
    assert lazy[0] == 1 and lazy[1] < 0.3
    assert float(margin_kkt(path.end, SIGNS).stationarity) == pytest.approx(rich[-1], abs=1e-8)


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_residual_is_the_relative_gradient(depth):
    data, weight_decay = make_separated(jr.key(1), 4, 7, 2.0).train, 0.05
    net = some_net(jr.key(2), depth)
    plain = DiagonalNet(net.u, net.v, depth)
    slope = jax.grad(Objective(data, Exponential(), reduction="mean", penalties=[(L2(), weight_decay)]))(plain)
    norm = [jnp.linalg.norm(jnp.concatenate(part.parameters())) for part in (slope, plain)]
    expected = decay_residual(net, data, log_weight_decay=jnp.log(weight_decay))
    assert expected == pytest.approx(float(norm[0] / norm[1] / weight_decay), rel=1e-12)
    # The best multipliers do at least as well as those of the loss.
    assert margin_kkt(net, data).sine <= expected


@pytest.mark.parametrize("depth", [2, 3])
def test_residual_is_one_where_the_decay_alone_acts(depth):
    """At weights of e^100 that fit with a margin of 10,000 no force is left, and nothing overflows."""
    data = make_separated(jr.key(1), 4, 7, 2.0).train
    toward = data.y @ data.x
    half = toward / jnp.abs(data.y * (data.x @ toward)).min() * 1e4 * jnp.exp(-100.0 * depth) / depth
    net = LogDiagonalNet(jnp.full(7, 100.0), half, depth)
    assert decay_residual(net, data, log_weight_decay=-50.0) == pytest.approx(1.0, abs=1e-12)
