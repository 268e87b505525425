"""A transformer of one layer learns to add modulo p: first it memorizes, then it uses a few Fourier modes.

python examples/transformer.py [modulus] [steps]
"""

# %% A part of the table of addition to train on, the rest to test on.
import sys

import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import jax.random as jr

import lazyrich as lz
from lazyrich.dynamics.optimizers import optimizer
from lazyrich.measures import accuracy, excluded_loss, frequency_fraction, restricted_loss, sum_fraction

modulus, steps = (int(given or usual) for given, usual in zip((*sys.argv[1:], "", "")[:2], (23, 3_000), strict=True))
problem = lz.problems.modular_addition(jr.key(0), modulus=modulus, train_fraction=0.6)

# %% The net: an embedding, attention by four heads, a ReLU layer, no normalization. Twice the usual initialization.
net = lz.models.Transformer.at_zero(symbols=modulus, embedding=32, width=64, heads=4)
init = lz.inits.gaussian(jr.key(1), net, scale=2 * jnp.array(net.scales))

# %% AdamW: decoupled weight decay. Without `read` the nets are kept.
objective = lz.Objective(problem.train, lz.losses.CrossEntropy(), reduction="mean", penalties=[(lz.regularizers.L2(), 1.0)])
when = jnp.round(jnp.concatenate([jnp.zeros(1), jnp.geomspace(steps / 64, steps, 13)]))
path = optimizer("adamw", 3e-3, jr.key(2)).run(objective, init, when)

# %% The frequencies that the last net uses, and all nets along them.
COUNT = min(3, modulus // 2)
frequencies = lz.measures.strongest(lz.measures.sum_spectrum(lz.measures.pair_outputs(path.end, modulus)), COUNT)
print(f"{path.outcome.sentence}; uses the frequencies {sorted(frequencies.tolist())}")


def read(net):
    """What is printed for one net."""
    return {
        "train": accuracy(net, problem.train),
        "test": accuracy(net, problem.test),
        "embedding": frequency_fraction(net.embedding[:modulus], count=COUNT),
        "outputs": sum_fraction(lz.measures.pair_outputs(net, modulus), count=COUNT),
        "with": restricted_loss(net, problem.train, frequencies=frequencies),
        "without": excluded_loss(net, problem.train, frequencies=frequencies),
    }


found = jax.jit(lambda nets: jax.lax.map(read, nets))(path.models)
names = ("train", "test", "embedding", "outputs", "with", "without")
print("  step", *(f"{name:>9}" for name in names))
for i, at in enumerate(when):
    print(f"{int(at):6d}", *(f"{float(found[name][i]):9.3f}" for name in names))
