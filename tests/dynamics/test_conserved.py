import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import pytest

from lazyrich.dynamics import GradientFlow
from lazyrich.dynamics.conserved import drift
from lazyrich.inits import he_pairs
from lazyrich.losses import MEAN, SUM, CrossEntropy, Squared
from lazyrich.models import DiagonalNet, Linear, LinearNet, ProductNet, SymmetricNet, WideParallel
from lazyrich.objective import Objective
from lazyrich.problems import Entries, Split, modular_addition
from lazyrich.regularizers import L1, L2

DECAY = [(L2(), 0.05)]


def drawn(model, seed=1, size=0.5):
    """The model with Gaussian numbers around those it has."""
    arrays, rest = eqx.partition(model, eqx.is_inexact_array)
    keys = iter(jr.split(jr.key(seed), 10))
    return eqx.combine(jax.tree.map(lambda part: part + size * jr.normal(next(keys), part.shape), arrays), rest)


def vectors(outputs=None):
    shape = (3,) if outputs is None else (3, outputs)
    return Split(jr.normal(jr.key(0), (3, 5)), jr.normal(jr.key(2), shape))


GRID = Entries(jnp.array([0, 1, 2, 3]), jnp.array([1, 1, 3, 0]), jnp.array([0.4, -0.2, 0.3, 0.1]), (4, 4))
CASES = {
    "linear": (vectors(), drawn(Linear(jnp.zeros(5))), "dual_residual"),
    "depth 2": (vectors(), drawn(DiagonalNet.at_scale(1.0, dim=5), size=0.1), "dual_residual"),
    "depth 3": (vectors(), drawn(DiagonalNet.at_scale(1.0, dim=5, depth=3), size=0.1), "dual_residual"),
    "depth 4": (vectors(), drawn(DiagonalNet.at_scale(1.0, dim=5, depth=4), size=0.1), "dual_residual"),
    "product": (vectors(), drawn(ProductNet.at_scale(0.3, dim=5)), "conservation"),
    "parallel": (vectors(), drawn(WideParallel.at_zero(dim=5, width=3)), "conservation"),
    "linear net": (vectors(2), drawn(LinearNet.at_zero(dim=5, outputs=2, width=4)), "conservation"),
    "symmetric": (GRID, drawn(SymmetricNet.at_scale(0.5, dim=4)), "conservation"),
}


@pytest.mark.parametrize("decay", [[], DECAY], ids=["plain", "decay"])
@pytest.mark.parametrize("case", CASES)
def test_the_flow_conserves_it_and_other_weights_do_not(case, decay):
    data, start, name = CASES[case]
    goal = Objective(data, Squared(), factor=SUM, penalties=decay)
    path = GradientFlow(rtol=1e-9, atol=1e-11, reduce=None).run(goal, start, [0.0, 0.7], read={})
    assert path.outcome.ok
    assert path.certificates[name] < 1e-7  # a hundred tolerances
    # The control: the same end nudged in one direction, and read as if it were met at another time under decay.
    nudged = drawn(path.end, seed=7, size=0.01)
    assert drift(goal, start, nudged, jnp.asarray(0.7))[name] > 1e-4


def test_a_relu_net_conserves_the_balance_of_each_unit():
    goal = Objective(
        modular_addition(jr.key(0), modulus=5, share=0.6).train, CrossEntropy(), factor=MEAN, penalties=DECAY
    )
    start = he_pairs(jr.key(1), symbols=5, width=6)
    path = GradientFlow(rtol=1e-6, atol=1e-8).run(goal, start, [0.0, 5.0], read={})
    assert path.certificates["conservation"] < 1e-4  # kinks cost two digits
    assert drift(goal, start, drawn(path.end, size=0.1), jnp.asarray(5.0))["conservation"] > 1e-3


def test_nothing_is_said_where_nothing_is_known():
    data, start, _ = CASES["product"]
    goal = Objective(data, Squared(), factor=SUM, penalties=[(L1(), 0.1)])
    assert drift(goal, start, start, jnp.zeros(())) == {}
