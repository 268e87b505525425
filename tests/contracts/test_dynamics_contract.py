"""Every dynamics: compiled, on any module, the loss falls; whole models or named readings; no exception on NaN."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.dynamics import ALL, GradientDescent, GradientFlow, Outcome, Trajectory
from lazyrich.errors import BadInput
from lazyrich.losses import MEAN, Logistic
from lazyrich.objective import Objective
from lazyrich.problems import sparse_classification
from lazyrich.regularizers import L2

# One ready dynamics of each kind, stable for the problem below, and its moments.
READY = {
    GradientFlow: (GradientFlow(), jnp.array([0.0, 0.5, 2.0, 5.0])),
    GradientDescent: (GradientDescent(0.05), jnp.array([0, 10, 40, 100])),
}

each = pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)


class TwoLayer(eqx.Module):
    """Neither linear nor known to the library."""

    inner: jax.Array
    outer: jax.Array
    name: str = eqx.field(static=True, default="net")

    def __call__(self, x):
        return self.outer @ jnp.tanh(self.inner @ x)


@pytest.fixture(scope="module")
def goal() -> Objective:
    data = sparse_classification(jr.key(0), n=8, d=5, test=0).train
    return Objective(data, Logistic(), factor=MEAN, penalties=[(L2(), 0.01)])


@pytest.fixture(scope="module")
def start() -> TwoLayer:
    rng = np.random.default_rng(0)
    return TwoLayer(jnp.asarray(0.5 * rng.standard_normal((3, 5))), jnp.asarray(rng.standard_normal(3)))


@pytest.fixture(scope="module")
def paths(goal, start) -> dict[type, Trajectory]:
    """Each dynamics compiled once, run from a good start and from NaN."""
    found = {}
    for kind in ALL:
        dynamics, when = READY[kind]
        run = jax.jit(lambda model, dynamics=dynamics, when=when: dynamics.run(goal, model, when))
        found[kind] = run(start), run(jax.tree.map(lambda part: part * jnp.nan, start))
    return found


@each
def test_it_is_ready(kind):
    assert kind in READY, f"put a ready {kind.__name__} and its moments into READY"


@each
def test_the_loss_falls_at_every_moment(kind, paths, goal):
    path, _ = paths[kind]
    losses = [float(goal(path.at(index))) for index in range(path.times.size)]
    assert np.isfinite(losses).all() and (np.diff(losses) < 0).all()
    assert losses[-1] < 0.8 * losses[0]


@each
def test_whole_models_lead_from_the_start_to_the_end(kind, paths, start):
    path, _ = paths[kind]
    assert path.reads == {} and isinstance(path.at(0), TwoLayer) and path.at(0).name == "net"
    np.testing.assert_array_equal(path.times, READY[kind][1])
    for index, model in ((0, start), (-1, path.end)):
        # Solvers read the last moment off their interpolant: a rounding away from the end.
        np.testing.assert_allclose(path.at(index).inner, model.inner, rtol=0, atol=1e-14)
        np.testing.assert_allclose(path.at(index).outer, model.outer, rtol=0, atol=1e-14)


@each
def test_the_outcome_says_how(kind, paths):
    path, _ = paths[kind]
    assert path.outcome.code == Outcome.END and path.outcome.ok
    assert path.outcome.reached == READY[kind][1][-1]
    assert path.outcome.steps > 0 and path.outcome.how
    assert path.outcome.sentence.startswith("reached the last time asked for")


@each
def test_nan_is_an_outcome_and_not_an_exception(kind, paths):
    _, broken = paths[kind]
    assert broken.outcome.code == Outcome.NOT_FINITE and not broken.outcome.ok
    assert np.isnan(np.asarray(broken.end.inner)).all()


@each
@pytest.mark.parametrize("when", [[], [0.0], [1.0, 2.0], [0.0, 2.0, 1.0], [0.0, float("nan")]], ids=str)
def test_moments_that_make_no_sense_are_refused(kind, goal, start, when):
    with pytest.raises(BadInput, match=kind.__name__):
        READY[kind][0].run(goal, start, when)


@each
def test_float32_is_refused(kind, goal, start):
    with jax.enable_x64(False), pytest.raises(BadInput, match="double precision"):
        READY[kind][0].run(goal, start, [0, 1])
