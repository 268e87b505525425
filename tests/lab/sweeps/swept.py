"""Functions that the tests sweep, in a module of their own so that other processes can import them."""

import os
import pathlib
import time

import jax.numpy as jnp
import jax.random as jr


def product(alpha, beta):
    return {"y": alpha * beta, "curve": jnp.arange(3) * alpha}


def drawn(key, alpha):
    return alpha + jr.normal(key)


def sized(alpha, d):
    return {"total": alpha * jnp.ones(d).sum(), "all": alpha * jnp.ones(d)}


def counted(alpha, beta, folder):
    """Leaves a mark each time it is called at a point; slow enough to be killed between two of them."""
    with (pathlib.Path(folder) / f"{alpha:g}-{beta:g}").open("a") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(0.05)
    return alpha * beta


def crashing(alpha, folder):
    with (pathlib.Path(folder) / f"{alpha:g}").open("a") as file:
        file.write("x")
    if alpha == 3:
        raise ValueError("no point of mine")
    return 2.0 * alpha


def deadly(alpha):
    if alpha == 3:
        os._exit(9)
    return 2.0 * alpha


def half(n):
    return n / 2 if n > 1 else 0
