"""Every dynamics: compiled, the loss falls; whole models or named readings; no exception on NaN; many at once."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import optax
import pytest

from lazyrich.dynamics import (
    ALL,
    ExponentialFlow,
    GradientDescent,
    GradientFlow,
    LabelNoiseSGD,
    OneSAM,
    Outcome,
    ProjectedSubgradient,
    ProximalDescent,
    RescaledDescent,
    Stochastic,
    Trajectory,
)
from lazyrich.errors import BadInput
from lazyrich.losses import Logistic, Squared
from lazyrich.models import DiagonalNet
from lazyrich.objective import Objective
from lazyrich.problems import Split, sparse_classification
from lazyrich.regularizers import L1, L2


class TwoLayer(eqx.Module):
    """Neither linear nor known to the library."""

    inner: jax.Array
    outer: jax.Array
    name: str = eqx.field(static=True, default="net")

    def __call__(self, x):
        return self.outer @ jnp.tanh(self.inner @ x)


class Ready(NamedTuple):
    """One dynamics, stable for its problem, with its moments."""

    dynamics: Any
    objective: Objective
    init: Any
    when: jax.Array

    def run(self, scale: float | jax.Array = 1.0, **more) -> Trajectory:
        init = jax.tree.map(lambda part: part * scale, self.init)
        return self.dynamics.run(self.objective, init, self.when, **more)


DATA = sparse_classification(jr.key(0), n=8, d=5, test=0).train
RNG = np.random.default_rng(0)
NET = TwoLayer(jnp.asarray(0.5 * RNG.standard_normal((3, 5))), jnp.asarray(RNG.standard_normal(3)))
DECAYED = Objective(DATA, Logistic(), reduction="mean", penalties=[(L2(), 0.01)])
FREE = Objective(DATA, Logistic(), reduction="mean")
REGRESSION = Objective(DATA, Squared(), reduction="mean")
SPARSE = Objective(Split(DATA.x[:3], DATA.y[:3]), Squared(), reduction="mean", penalties=[(L1(), 0.1)])
LINEAR = DiagonalNet(jnp.linspace(-2.0, 3.0, 5), jnp.linspace(1.0, -1.0, 5), 1)
STEPS = jnp.array([0, 10, 40, 100])
READY = {
    GradientFlow: Ready(GradientFlow(), DECAYED, NET, jnp.array([0.0, 0.5, 2.0, 5.0])),
    ExponentialFlow: Ready(ExponentialFlow(), REGRESSION, NET, jnp.array([0, 4, 8, 14])),
    GradientDescent: Ready(GradientDescent(0.05), DECAYED, NET, STEPS),
    ProximalDescent: Ready(ProximalDescent(0.05), DECAYED, NET, STEPS),
    ProjectedSubgradient: Ready(ProjectedSubgradient(0.1), SPARSE, LINEAR, STEPS),
    LabelNoiseSGD: Ready(LabelNoiseSGD(jr.key(0), 0.01, 0.1), REGRESSION, NET, STEPS),
    OneSAM: Ready(OneSAM(jr.key(0), 0.05, 0.01), DECAYED, NET, STEPS),
    RescaledDescent: Ready(RescaledDescent(0.02), FREE, NET, STEPS),
    Stochastic: Ready(Stochastic(optax.adam(0.01), jr.key(0), batch=4, coupled=True), DECAYED, NET, STEPS),
}

each = pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)


def same(found: Any, wanted: Any, atol: float = 1e-14) -> None:
    """All arrays agree."""
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=atol)


@pytest.fixture(scope="module")
def paths() -> dict[type, tuple[Trajectory, Trajectory]]:
    """Each dynamics compiled once, run from a good start and from NaN."""
    found = {}
    for kind in ALL:
        run = jax.jit(READY[kind].run)
        found[kind] = run(1.0), run(jnp.nan)
    return found


@each
def test_it_is_ready(kind):
    assert kind in READY, f"put a ready {kind.__name__} into READY"


@each
def test_the_loss_falls_at_every_moment(kind, paths):
    path, _ = paths[kind]
    losses = [float(READY[kind].objective(path.at(index))) for index in range(path.times.size)]
    assert np.isfinite(losses).all() and (np.diff(losses) < 0).all()
    assert losses[-1] < 0.8 * losses[0]


@each
def test_whole_models_lead_from_the_start_to_the_end(kind, paths):
    path, _ = paths[kind]
    init = READY[kind].init
    assert set(path.reads) <= {"log_time"} and type(path.at(0)) is type(init)
    np.testing.assert_array_equal(path.times, READY[kind].when)
    # Solvers read the last moment off their interpolant: a rounding away from the end.
    same(path.at(0), init)
    same(path.at(-1), path.end)


@each
def test_the_outcome_says_how(kind, paths):
    path, _ = paths[kind]
    assert path.outcome.code == Outcome.END and path.outcome.ok
    assert path.outcome.reached == READY[kind].when[-1]
    assert path.outcome.steps > 0 and path.outcome.how
    assert path.outcome.sentence.startswith("reached the last time asked for")


@each
def test_nan_is_an_outcome_and_not_an_exception(kind, paths):
    _, broken = paths[kind]
    assert broken.outcome.code == Outcome.NOT_FINITE and not broken.outcome.ok
    assert broken.outcome.reached == 0
    assert all(np.isnan(part).all() for part in jax.tree.leaves((broken.end, broken.at(0), broken.at(-1))))


@each
@pytest.mark.parametrize("when", [[], [0.0], [1.0, 2.0], [0.0, 2.0, 1.0], [0.0, float("nan")]], ids=str)
def test_moments_that_make_no_sense_are_refused(kind, when):
    with pytest.raises(BadInput, match=kind.__name__):
        READY[kind]._replace(when=when).run()


@each
def test_float32_is_refused(kind):
    with jax.enable_x64(False), pytest.raises(BadInput, match="double precision"):
        READY[kind].dynamics.run(READY[kind].objective, READY[kind].init, [0, 1])


@each
def test_many_at_once_are_each_alone(kind, paths):
    ready = READY[kind]
    many = jax.jit(jax.vmap(lambda scale: ready.run(scale, read={"loss": ready.objective})))(jnp.array([0.5, 1.0, jnp.nan]))
    np.testing.assert_array_equal(many.outcome.code, [Outcome.END, Outcome.END, Outcome.NOT_FINITE])
    # Sums are rounded in another order in a batch: an adaptive solver takes other steps for it, and a subgradient at a
    # kink may take the other sign, which is one step of 0.0025 apart.
    off = {GradientFlow: 1e-9, ProjectedSubgradient: 0.006}.get(kind, 1e-10)
    same(jax.tree.map(lambda part: part[1], many.end), paths[kind][0].end, atol=off)
    assert np.isfinite(many.reads["loss"][:2]).all() and np.isnan(many.reads["loss"][2]).all()
