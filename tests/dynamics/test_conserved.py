import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import pytest

from lazyrich.dynamics import GradientFlow
from lazyrich.dynamics.conserved import drift
from lazyrich.inits import he_pairs
from lazyrich.losses import CrossEntropy, Squared
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


def followed(objective, init, until, steps=7_000):
    """The gradient flow by the classic Runge-Kutta method with small steps: an error of about (until/steps)^4."""
    length = until / steps

    def step(_, model):
        def field(at):
            return jax.tree.map(lambda slope: -length * slope, jax.grad(objective)(at))

        def ahead(share, change):
            return jax.tree.map(lambda part, move: part + share * move, model, change)

        one = field(model)
        two = field(ahead(0.5, one))
        three = field(ahead(0.5, two))
        four = field(ahead(1.0, three))
        return jax.tree.map(lambda p, a, b, c, d: p + (a + 2 * b + 2 * c + d) / 6, model, one, two, three, four)

    return jax.jit(lambda init: jax.lax.fori_loop(0, steps, step, init))(init)


@pytest.mark.parametrize("case", CASES)
def test_the_flow_conserves_it_and_other_weights_do_not(case):
    data, init, name = CASES[case]
    objective = Objective(data, Squared(), reduction="sum", penalties=DECAY)
    end = followed(objective, init, 0.7)
    assert drift(objective, init, end, jnp.asarray(0.7))[name] < 1e-8
    # The control: the same end nudged a little, and the right end at the wrong time.
    assert drift(objective, init, drawn(end, seed=7, size=0.01), jnp.asarray(0.7))[name] > 1e-4
    assert drift(objective, init, end, jnp.asarray(1.4))[name] > 1e-4 or case == "depth 2"  # where decay cancels


def test_a_relu_net_conserves_the_balance_of_each_unit():
    objective = Objective(
        modular_addition(jr.key(0), modulus=5, train_fraction=0.6).train, CrossEntropy(), reduction="mean", penalties=DECAY
    )
    init = he_pairs(jr.key(1), symbols=5, width=6)
    end = followed(objective, init, 5.0)
    assert drift(objective, init, end, jnp.asarray(5.0))["conservation"] < 1e-4  # kinks leave an error of one step
    assert drift(objective, init, drawn(end, size=0.1), jnp.asarray(5.0))["conservation"] > 1e-3


def test_a_plain_flow_tells_it():
    data, init, name = CASES["product"]
    objective = Objective(data, Squared(), reduction="sum", penalties=DECAY)
    flow = GradientFlow(dfx.Tsit5(), rtol=1e-8, atol=1e-10, reduce=None)
    assert flow.run(objective, init, [0.0, 0.7], read={}).certificates[name] < 1e-6


def test_nothing_is_said_where_nothing_is_known():
    data, init, _ = CASES["product"]
    objective = Objective(data, Squared(), reduction="sum", penalties=[(L1(), 0.1)])
    assert drift(objective, init, init, jnp.zeros(())) == {}
