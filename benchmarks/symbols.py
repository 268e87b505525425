"""Slopes of nets that take pairs of symbols, p = 97: rows picked from a table, and products with unit vectors for every pair.

python benchmarks/symbols.py [slopes]
"""

import os
import sys
import time

from lazyrich.lab.machine import prepare

prepare()

import jax
import jax.numpy as jnp
import jax.random as jr

from lazyrich import Objective
from lazyrich.inits import gaussian
from lazyrich.losses import CrossEntropy
from lazyrich.models import LSTM, EmbeddingNet
from lazyrich.problems import modular_table

MODULUS, SIDE = 97, 128


def mlp(net: EmbeddingNet, codes):
    """The MLP on a pair of unit vectors."""
    a, b = codes @ net.embedding
    return jax.nn.relu((a * b) @ net.first + net.bias) @ net.out + net.offset


def lstm(net: LSTM, codes):
    """The LSTM on a pair of unit vectors, one symbol after the other."""
    fed = net.embedding @ net.inner + net.bias
    a, b = codes @ fed[:MODULUS]
    state = memory = jnp.zeros(SIDE)
    for symbol in (a, fed[MODULUS], b, fed[MODULUS + 1]):
        take, keep, new, show = jnp.split(symbol + state @ net.back, 4)
        memory = jax.nn.sigmoid(keep) * memory + jax.nn.sigmoid(take) * jnp.tanh(new)
        state = jax.nn.sigmoid(show) * jnp.tanh(memory)
    return state @ net.out + net.offset


def cpu(slope, net, slopes: int) -> float:
    """CPU seconds of one slope, compiled before."""
    jax.block_until_ready(slope(net))
    begun = time.process_time()
    for _ in range(slopes):
        jax.block_until_ready(slope(net))
    return (time.process_time() - begun) / slopes


def main(slopes: int = 20) -> None:
    """Print the cost of both ways for both nets, and how far their slopes are apart."""
    for kind, plain, unordered in ((EmbeddingNet, mlp, True), (LSTM, lstm, False)):
        data = modular_table(jr.key(0), operation="addition", modulus=MODULUS, unordered=unordered).train
        net = kind.at_zero(symbols=MODULUS, embedding=SIDE, width=SIDE)
        net = gaussian(jr.key(1), net, scale=jnp.array(net.scales))
        codes, loss = jax.nn.one_hot(data.x.astype(int), MODULUS, dtype=float), CrossEntropy()
        objective = Objective(data, loss, reduction="mean")

        def by_products(net, plain=plain, codes=codes, y=data.y, loss=loss):
            return jnp.mean(loss.value(jax.vmap(plain, (None, 0))(net, codes), y))

        ours, theirs = (jax.jit(jax.grad(cost)) for cost in (objective, by_products))
        gaps = jax.tree.map(lambda left, right: jnp.abs(left - right).max(), ours(net), theirs(net))
        times = [cpu(slope, net, slopes) for slope in (ours, theirs)]
        print(
            f"{kind.__name__}, {data.n} pairs: {1e3 * times[0]:.1f} against {1e3 * times[1]:.1f} ms of CPU a slope, "
            f"{max(jax.tree.leaves(gaps)):.0e} apart; ratio {times[1] / times[0]:.1f}, load {os.getloadavg()[0]:.1f}"
        )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
