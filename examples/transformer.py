"""A transformer of one layer learns to add modulo p: by heart at first, then by a few waves on the circle.

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
from lazyrich.measures import accuracy, excluded_loss, frequency_share, restricted_loss, sum_share

modulus, steps = (int(told or usual) for told, usual in zip((*sys.argv[1:], "", "")[:2], (23, 3_000), strict=True))
problem = lz.problems.modular_addition(jr.key(0), modulus=modulus, share=0.6)

# %% The net: an embedding, attention by four heads, a ReLU layer, no normalization. It starts twice as large as usual.
net = lz.models.Transformer.at_zero(symbols=modulus, embedding=32, width=64, heads=4)
start = lz.inits.gaussian(jr.key(1), net, scale=2 * jnp.array(net.scales))

# %% AdamW: the penalty is taken off after each step, apart from the slope of the loss. Without `read` the nets are kept.
goal = lz.Objective(problem.train, lz.losses.CrossEntropy(), factor=lz.MEAN, penalties=[(lz.regularizers.L2(), 1.0)])
when = jnp.round(jnp.concatenate([jnp.zeros(1), jnp.geomspace(steps / 64, steps, 13)]))
path = optimizer("adamw", 3e-3, jr.key(2)).run(goal, start, when)

# %% The frequencies that the last net answers by, and what all nets do along them.
COUNT = min(3, modulus // 2)
frequencies = lz.measures.strongest(lz.measures.sum_spectrum(lz.measures.pair_outputs(path.end, modulus)), COUNT)
print(f"{path.outcome.sentence}; answers by the frequencies {sorted(frequencies.tolist())}")


def read(net):
    """What is printed of one net."""
    return {
        "train": accuracy(net, problem.train),
        "test": accuracy(net, problem.test),
        "embedding": frequency_share(net.embedding[:modulus], count=COUNT),
        "outputs": sum_share(lz.measures.pair_outputs(net, modulus), count=COUNT),
        "with": restricted_loss(net, problem.train, frequencies=frequencies),
        "without": excluded_loss(net, problem.train, frequencies=frequencies),
    }


found = jax.jit(lambda nets: jax.lax.map(read, nets))(path.models)
names = ("train", "test", "embedding", "outputs", "with", "without")
print("  step", *(f"{name:>9}" for name in names))
for i, at in enumerate(when):
    print(f"{int(at):6d}", *(f"{float(found[name][i]):9.3f}" for name in names))
