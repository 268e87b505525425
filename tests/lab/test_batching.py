import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich import Objective
from lazyrich.dynamics import GradientFlow, Outcome
from lazyrich.errors import BadInput
from lazyrich.lab import batching as module
from lazyrich.lab.batching import many
from lazyrich.losses import Squared
from lazyrich.models import DiagonalNet
from lazyrich.problems import sparse_recovery

WAYS = ("loop", "map", "vmap")


def squares(member):
    return {"square": member["x"] ** 2, "sum": member["x"].sum() + member["y"]}


@pytest.mark.parametrize("how", [*WAYS, "auto"])
@pytest.mark.parametrize("count", [1, 5, 40])
def test_every_way_gives_the_same_in_order(how, count):
    members = {"x": jnp.arange(3.0 * count).reshape(count, 3), "y": jnp.arange(1.0 * count)}
    found = many(squares, members, how=how)
    np.testing.assert_array_equal(found.results["square"], np.asarray(members["x"]) ** 2)
    np.testing.assert_array_equal(found.results["sum"], np.asarray(members["x"]).sum(1) + np.arange(count))
    assert found.how in WAYS and bool(found.probe) == (how == "auto" and count >= module.FEW)


@pytest.mark.parametrize(
    ("compiling", "alone", "total", "timed"),
    [(1.0, 0.01, 10**6, set(WAYS)), (1.0, 0.01, 100, {"loop"}), (0.1, 0.01, None, {"loop"}), (1.0, 5.0, 10**6, {"loop"})],
)
def test_ways_are_timed_only_where_that_can_pay(monkeypatch, compiling, alone, total, timed):
    """Not where a loop over all takes less than some compilations, nor where one member takes seconds."""
    monkeypatch.setattr(module, "_seconds", lambda run, some: (compiling, alone))
    members = {"x": jnp.ones((20, 3)), "y": jnp.ones(20)}
    assert set(module.prepare(squares, members, total=total).probe) == timed


@pytest.mark.parametrize(("alone", "probed"), [(1e-3, 100), (0.02, 25), (0.9, module.PROBE)])
def test_a_probe_takes_members_from_all_over(monkeypatch, alone, probed):
    """As many as a loop does in half a second: the first few step alike, and would speak for those that wait for each other."""
    seen = []
    monkeypatch.setattr(module, "_seconds", lambda run, some: seen.append(np.asarray(some)) or (1.0, alone))
    module.prepare(jnp.sin, jnp.arange(100.0), total=10**6)
    assert [len(some) for some in seen] == [1, probed, probed, probed]
    assert seen[1][0] == 0 and seen[1][-1] == 99 and np.all(np.diff(seen[1]) > 0)


def test_chunks_and_progress():
    seen = []
    many(jnp.sin, jnp.arange(10.0), how="vmap", chunk=4, notify=lambda done, total: seen.append((done, total)))
    assert seen == [(4, 10), (8, 10), (10, 10)]


def test_what_does_not_fit_in_memory_is_halved(monkeypatch):
    sizes = []

    def greedy(function):
        def run(members):
            sizes.append(members.shape[0])
            if members.shape[0] > 3:
                raise RuntimeError("RESOURCE_EXHAUSTED: out of memory")
            return function(members)

        return run

    monkeypatch.setitem(module._RUNNERS, "vmap", greedy)
    found = many(jnp.sin, jnp.arange(10.0), how="vmap")
    np.testing.assert_allclose(found.results, np.sin(np.arange(10.0)))
    assert sizes[:3] == [10, 5, 3] and max(sizes[3:]) <= 3


def test_other_errors_are_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        many(lambda x: x + 1 / 0, jnp.arange(3.0), how="vmap")


@pytest.mark.parametrize("members", [{}, {"x": jnp.zeros(3), "y": jnp.zeros(4)}, jnp.zeros(()), jnp.zeros((0, 2))])
def test_members_that_are_none_are_refused(members):
    with pytest.raises(BadInput, match="one first axis"):
        many(lambda member: member, members)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["loop", "vmap"])
def test_a_failing_training_leaves_the_others_alone(how):
    """Alphas and seeds as members; one start is not finite, one runs out of steps."""
    flow = GradientFlow(solver=dfx.Tsit5(), rtol=1e-6, atol=1e-8, max_steps=400)

    def train(member):
        problem = sparse_recovery(jr.fold_in(jr.key(0), member["seed"]), n=3, d=6, sparsity=2)
        goal = Objective(problem.train, Squared(), reduction="sum")
        start = DiagonalNet.at_scale(member["alpha"], dim=6)
        path = flow.run(goal, start, jnp.array([0.0, 5.0]), read={"loss": goal})
        return {"loss": path.reads["loss"][-1], "code": path.outcome.code}

    members = {"alpha": jnp.array([0.1, jnp.nan, 1.0, 300.0]), "seed": jnp.arange(4)}
    found = many(train, members, how=how).results
    assert found["code"].tolist() == [Outcome.END, Outcome.NOT_FINITE, Outcome.END, Outcome.STEP_LIMIT]
    alone = jax.jit(train)({"alpha": jnp.asarray(1.0), "seed": jnp.asarray(2)})
    np.testing.assert_allclose(found["loss"][2], alone["loss"], rtol=1e-6)
    assert np.isnan(found["loss"][[1, 3]]).all()
