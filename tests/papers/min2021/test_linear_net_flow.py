import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.claims import check, find
from lazyrich.errors import BadInput
from lazyrich.models import LinearNet
from lazyrich.numerics.imbalance import difference
from lazyrich.papers.min2021.figure_3 import begin as case
from lazyrich.papers.min2021.simulations.linear_net_flow import Reduced, begin, begin_near, follow, make_problem
from lazyrich.problems import Split

KEY = jr.key(3)


@pytest.fixture(scope="module")
def problem():
    return make_problem(KEY, n=4, d=9, outputs=2, tilt=1.0, noise=0.1)


def test_the_reduced_loss_is_the_loss_less_what_no_map_avoids():
    rng = np.random.default_rng(0)
    data = Split(jnp.asarray(rng.standard_normal((4, 6))), jnp.asarray(rng.standard_normal((4, 2))))
    problem = Reduced.of(data)
    net = LinearNet(u=jnp.asarray(rng.standard_normal((6, 5))), v=jnp.asarray(rng.standard_normal((2, 5))))
    whole = jnp.sum((data.y - data.x @ net.effective()) ** 2) / 2
    np.testing.assert_allclose(problem.objective()(problem.seen(net)) + problem.left, whole, rtol=1e-12)


def test_one_product_for_all_ratios(problem):
    nets = [begin(KEY, problem, width=50, scale=0.1, ratio=ratio) for ratio in (1.0, 25.0)]
    np.testing.assert_allclose(nets[0].effective(), nets[1].effective(), rtol=1e-12)
    assert float(jnp.linalg.norm(nets[1].u)) == pytest.approx(5 * float(jnp.linalg.norm(nets[0].u)))


@pytest.mark.parametrize("imbalance", [0.0, 1.5, -1.5])
def test_a_near_start_misses_the_target_by_as_much_as_asked(problem, imbalance):
    net = begin_near(KEY, problem, away=0.5, imbalance=imbalance)
    miss = jnp.linalg.norm(problem.target - problem.scale[:, None] * net.effective())
    least = jnp.linalg.svd(problem.target, compute_uv=False)[-1]
    np.testing.assert_allclose(miss, least / 2, rtol=1e-10)
    found = jnp.linalg.eigvalsh(difference(net.u, net.v))
    np.testing.assert_allclose(found[jnp.argsort(-jnp.abs(found))][:2], imbalance, atol=1e-12)


def test_the_cases_of_figure_3_have_one_product(problem):
    nets = [case(KEY, problem, case=at, width=40, scale=0.1, apart=1.0) for at in (1, 2, 3, 4)]
    for net in nets[1:]:
        np.testing.assert_allclose(net.effective(), nets[0].effective(), atol=1e-14)
    np.testing.assert_allclose(difference(nets[3].u, nets[3].v), 0, atol=1e-14)


def test_refuses_as_many_samples_as_inputs():
    with pytest.raises(BadInput, match="fewer samples than inputs"):
        make_problem(KEY, n=5, d=5, outputs=2, tilt=1.0, noise=0.1)


def test_refuses_a_margin_of_answers_without_full_rank(problem):
    flat = jax.tree.map(lambda part: part, problem)
    poor = Reduced(flat.data, flat.frame, flat.scale, flat.target.at[:, 1].set(flat.target[:, 0]), flat.left)
    with pytest.raises(BadInput, match="full rank"):
        begin_near(KEY, poor, away=0.5, imbalance=0.0)


def test_refuses_the_saddle_at_zero(problem):
    with pytest.raises(BadInput, match="saddle"):
        follow(problem, LinearNet.at_zero(dim=4, outputs=2, width=6), jnp.array([0.0, 1.0]))


@pytest.mark.parametrize("identity", ["min2021/lemma_8", "min2021/proposition_1"])
def test_refuses_a_net_that_cannot_express_every_map(identity):
    with pytest.raises(BadInput, match="hidden units"):
        check(find(identity), size="smoke", changes={"rows": 3, "outputs": 3, "width": 2})
