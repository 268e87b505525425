"""Training as it is watched: one compiled program for all values of the sliders, a few moments at a time."""

import threading
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..lab.bench import trial_key
from ..lab.experiments import find
from .asks import Ask

UPDATES = 60  # of one training, or somewhat more
KEPT = 12  # programs
LONGEST = 120.0  # seconds of one training


class Program:
    """Begin, advance and conclude of one experiment with its static numbers fixed; all else, the draw too, is traced."""

    def __init__(self, name: str, static: tuple):
        """Nothing is compiled before it is used."""
        compose, fixed = find(name).compose, dict(static)

        def begin(key, traced):
            made = compose(key, **traced, **fixed)
            return made.dynamics.begin(made.goal, made.start), jnp.asarray(made.when), made.measure

        def advance(key, traced, carry, when):
            made = compose(key, **traced, **fixed)
            return made.dynamics.advance(made.goal, made.start, carry, when, made.read, None)

        def conclude(key, traced, carry, last):
            made = compose(key, **traced, **fixed)
            return made.dynamics.conclude(made.goal, made.start, carry, last)[1]

        self.begin, self.advance = eqx.filter_jit(begin), eqx.filter_jit(advance)
        self.conclude = eqx.filter_jit(conclude)
        self.ready = False
        self.lock = threading.Lock()


@lru_cache(KEPT)
def program(name: str, static: tuple) -> Program:
    """The program of an experiment and its static numbers; the last few are kept."""
    return Program(name, static)


def train(ask: Ask, say: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    """The curves of a training in pieces, each with its first place; then how it ended, and why if it was early.

    `say` is told "compiling" where this shape was not met before, and then "running".
    """
    found, key, numbers = posed(ask)
    if not found.ready:
        say("compiling")
        warm(ask)
    say("running")
    started = time.perf_counter()
    carry, when, measure = found.begin(key, numbers)
    times = np.asarray(when)
    stride = piece_of(times.size)
    done, late = 0, False
    while done < times.size and not bool(carry.over) and not late:
        carry, read = found.advance(key, numbers, carry, when[done : done + stride])
        yield {
            "at": done,
            "of": int(times.size),
            "measure": measure,
            "time": times[done : done + stride].astype(float).tolist(),
            **{name: np.asarray(read[name], float).tolist() for name in ("train", "test")},
        }
        done += stride
        late = time.perf_counter() - started > LONGEST
    outcome = found.conclude(key, numbers, carry, times[-1])
    ended = f"stopped after {LONGEST:g} seconds, the most a run may take here" if late else outcome.sentence
    yield {"outcome": ended, "ok": bool(outcome.ok) and not late, "seconds": time.perf_counter() - started}


def posed(ask: Ask) -> tuple[Program, Any, dict[str, Any]]:
    """The program for what is asked, and what to call it with."""
    traced, static = ask.split()
    numbers = {name: jnp.asarray(float(value)) for name, value in traced.items()}
    return program(ask.experiment, static), trial_key(ask.seed, 0), numbers


def warm(ask: Ask) -> None:
    """Compile a program, once, by a first piece of it."""
    found, key, numbers = posed(ask)
    with found.lock:
        if found.ready:
            return
        carry, when, _ = found.begin(key, numbers)
        carry, _ = found.advance(key, numbers, carry, when[: piece_of(when.size)])
        jax.block_until_ready(found.conclude(key, numbers, carry, np.asarray(when)[-1]).code)
        found.ready = True


def piece_of(count: int) -> int:
    """How many moments make a piece: all pieces are alike, for one program."""
    return next(size for size in range(max(1, count // UPDATES), 0, -1) if count % size == 0)
