import jax
import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.losses import Exponential, Logistic, Squared
from lazyrich.models import DiagonalNet
from lazyrich.objective import Objective
from lazyrich.problems import Split
from lazyrich.regularizers import L1, L2

DATA = Split(jnp.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), jnp.array([1.0, -1.0, 1.0]))
NET = DiagonalNet(jnp.array([2.0, 1.0]), jnp.array([1.0, 2.0]))  # effective (3, -3), outputs (3, -3, 0)


@pytest.mark.parametrize(("reduction", "weight"), [("sum", 1.0), ("mean", 1 / 3), ("half_sum", 0.5)])
def test_the_reduction_multiplies_the_sum(reduction, weight):
    objective = Objective(DATA, Squared(), reduction=reduction)
    assert objective.weight == weight
    np.testing.assert_allclose(objective(NET), weight * (4 + 4 + 1), rtol=1e-15)
    assert objective(NET) == objective.data_loss(NET)


def test_penalties_add_up_on_the_parameters():
    objective = Objective(DATA, Logistic(), reduction="mean", penalties=[(L2(), 0.1), (L2(), 0.02), (L1(), 0.5)])
    outside = (2 * np.log1p(np.exp(-3.0)) + np.log(2.0)) / 3
    np.testing.assert_allclose(objective.data_loss(NET), outside, rtol=1e-14)
    np.testing.assert_allclose(objective(NET), outside + 0.12 * (4 + 1 + 1 + 4) / 2 + 0.5 * 6, rtol=1e-14)


def test_decay_is_the_total_strength_of_l2_or_none():
    def weight_decay(*penalties):
        return Objective(DATA, Logistic(), reduction="mean", penalties=penalties).weight_decay

    assert weight_decay() == 0
    np.testing.assert_allclose(weight_decay((L2(), 0.1), (L2(), 0.02)), 0.12, rtol=1e-15)
    assert weight_decay((L2(), 0.1), (L1(), 0.0)) is None


@pytest.mark.parametrize("reduction", ["sum", "mean", "half_sum"])
@pytest.mark.parametrize("loss", [Squared(), Logistic(), Exponential()], ids=lambda loss: type(loss).__name__)
def test_log_data_loss_is_the_logarithm(loss, reduction):
    objective = Objective(DATA, loss, reduction=reduction)
    np.testing.assert_allclose(objective.log_data_loss(NET), np.log(objective.data_loss(NET)), rtol=0, atol=1e-13)


@pytest.mark.parametrize("loss", [Logistic(), Exponential()], ids=lambda loss: type(loss).__name__)
def test_log_data_loss_after_the_loss_has_underflown(loss):
    data = Split(jnp.eye(2), jnp.array([1.0, -1.0]))
    objective = Objective(data, loss, reduction="mean")
    net = DiagonalNet(jnp.array([30.0, 0.0]), jnp.array([0.0, 31.0]))  # margins 900 and 961
    assert objective.data_loss(net) == 0
    np.testing.assert_allclose(objective.log_data_loss(net), -900 - np.log(2), rtol=1e-15)


@pytest.mark.parametrize("loss", [Logistic(), Exponential()], ids=lambda loss: type(loss).__name__)
@pytest.mark.parametrize("labels", [[0.0, 1.0, 1.0], [1.0, 2.0, 3.0], [1.0, -1.0, 0.5]])
def test_labels_other_than_signs_are_refused_by_name(loss, labels):
    data = Split(DATA.x, jnp.array(labels))
    with pytest.raises(BadInput, match=rf"{type(loss).__name__} needs labels in \{{-1, \+1\}}") as error:
        Objective(data, loss, reduction="mean")
    assert f"{len(set(labels))} distinct values from {min(labels):g} to {max(labels):g}" == error.value.given
    Objective(data, Squared(), reduction="mean")


def test_the_reduction_has_no_default(monkeypatch):
    with pytest.raises(TypeError, match="reduction"):
        Objective(DATA, Squared())  # pyright: ignore[reportCallIssue]
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it, without our type checks
    with pytest.raises(BadInput, match="reduction='sum', 'mean' or 'half_sum'; got 'average'"):
        Objective(DATA, Squared(), reduction="average")  # pyright: ignore[reportArgumentType]


def test_gradient_by_hand():
    objective = Objective(DATA, Squared(), reduction="half_sum", penalties=[(L2(), 0.1)])
    slope = jax.grad(objective)(NET)
    # Residuals (2, -2, -1): X^T r = (1, -3), times the slopes 2u and -2v of the effective weights.
    np.testing.assert_allclose(slope.u, [2 * 2 * 1 + 0.2, 2 * 1 * -3 + 0.1], rtol=1e-14)
    np.testing.assert_allclose(slope.v, [-2 * 1 * 1 + 0.1, -2 * 2 * -3 + 0.2], rtol=1e-14)


def test_the_strength_can_be_traced():
    def cost(weight_decay):
        return Objective(DATA, Logistic(), reduction="mean", penalties=[(L2(), weight_decay)])(NET)

    # The penalty is weight_decay * 10 / 2.
    np.testing.assert_allclose(jax.jit(jax.grad(cost))(0.1), 5.0, rtol=1e-15)


@pytest.mark.parametrize("strength", [-1.0, float("nan"), float("inf")])
def test_strengths_that_make_no_sense_are_refused(strength):
    data = Split(jnp.ones((2, 3)), jnp.ones(2))
    with pytest.raises(BadInput, match="strength of L2"):
        Objective(data, Squared(), reduction="sum", penalties=[(L2(), strength)])
