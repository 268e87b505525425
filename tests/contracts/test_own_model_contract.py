"""Models of the user's, a module of equinox and a function: all that a net of the library's can, with the same numbers."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import optax
import pytest

import lazyrich as lz
from lazyrich.dynamics import GradientFlow, ProximalDescent, Stochastic
from lazyrich.measures import accuracy, interpolation_kkt, kernel_drift, margin_kkt
from lazyrich.models import Difference, Doubled, Function, PowerNet, measured_degrees, outputs, tangent
from lazyrich.models.homogeneity import rescaled

DIM, WIDTH = 8, 10
LABELS = jnp.where(jnp.arange(6) % 2 == 0, 1.0, -1.0)
DATA = lz.Split(jr.normal(jr.key(0), (6, DIM)) + LABELS[:, None] * jnp.eye(DIM)[0], LABELS)
INNER, OUTER = jr.normal(jr.key(1), (DIM, WIDTH)) * DIM**-0.5, jr.normal(jr.key(2), (WIDTH,)) * WIDTH**-0.5
NET = PowerNet(INNER, OUTER)


def module() -> eqx.nn.MLP:
    """Of equinox: its leaves are arrays and functions."""
    plain = {"use_bias": False, "use_final_bias": False, "dtype": jnp.float64, "key": jr.key(3)}
    made = eqx.nn.MLP(DIM, "scalar", WIDTH, 1, activation=jnp.square, **plain)
    return eqx.tree_at(lambda net: [layer.weight for layer in net.layers], made, [INNER.T, OUTER[None]])


def squares(weights, x):
    return weights["outer"] @ (x @ weights["inner"]) ** 2


OWN = {"module": module(), "function": Function({"inner": INNER, "outer": OUTER}, squares)}
each = pytest.mark.parametrize("own", OWN.values(), ids=OWN)
# Both in one model, a copy somewhat larger, beside the same of the net that the library knows.
BOTH = Difference(rescaled(OWN["module"], 1.2), OWN["function"])
KNOWN = Difference(rescaled(NET, 1.2), NET)

DECAYED, SPARSE = (
    lz.Objective(DATA, lz.losses.Logistic(), reduction="mean", penalties=[(penalty, 1e-2)])
    for penalty in (lz.regularizers.L2(), lz.regularizers.L1())
)
STEPS = jnp.array([0, 20])
RUNS = {
    "flow": (GradientFlow(), DECAYED, jnp.array([0.0, 1.0])),
    "proximal": (ProximalDescent(0.05), SPARSE, STEPS),
    "adam on batches": (Stochastic(optax.adam(1e-2), jr.key(4), batch=2, coupled=True), DECAYED, STEPS),
}


@pytest.mark.parametrize("run", [pytest.param("flow", marks=pytest.mark.slow), "proximal", "adam on batches"])
def test_moved_alike(run):
    dynamics, objective, when = RUNS[run]
    reference, found = (outputs(dynamics.run(objective, model, when).end, DATA.x) for model in (KNOWN, BOTH))
    np.testing.assert_allclose(found, reference, rtol=1e-10)
    assert np.abs(reference - outputs(KNOWN, DATA.x)).max() > 0.01


def test_measured_alike():
    def readings(model):
        moved = jax.tree.map(lambda part: part + 0.1 * jnp.sign(part) if eqx.is_inexact_array(part) else part, model)
        return {
            "degrees": measured_degrees(model, DATA.x, 2.0),
            "drift": kernel_drift(moved, DATA.x, tangent.kernel(model, DATA.x)),
            "accuracy": accuracy(model, DATA),
            "lazy margins": margin_kkt(moved, DATA, init=model).stationarity,
            "equations": interpolation_kkt(model, DATA).stationarity,
        }

    reference, found = readings(KNOWN), readings(BOTH)
    np.testing.assert_allclose(reference["degrees"], 3, rtol=1e-12)
    assert reference["drift"] > 1e-4
    for name, value in reference.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-8, err_msg=name)


@each
@pytest.mark.parametrize(("wrapper", "times"), [(Doubled, 2), (Difference, 1)], ids=["doubled", "difference"])
def test_started_at_zero_alike(own, wrapper, times):
    init = wrapper.of(own)
    assert not np.asarray(outputs(init, DATA.x)).any()
    np.testing.assert_allclose(tangent.kernel(init, DATA.x), times * tangent.kernel(NET, DATA.x), rtol=1e-10)
    np.testing.assert_allclose(measured_degrees(init, DATA.x, 0.5), 3, rtol=1e-12)


@pytest.mark.slow
def test_judged():
    """Both at once: each is a copy of the other, so that the start is zero."""
    result = lz.check_model(Difference(*OWN.values()), DATA)
    assert result.verdict == "holds" and result.controls[0].verdict == "fails", result.reason
