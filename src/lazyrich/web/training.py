"""Training in chunks: one compiled program for all values of the sliders, a few times of the curve per chunk."""

import threading
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..forecast.experiments import find
from ..lab.runner import trial_key
from .config import TrainingConfig

UPDATES = 60  # chunks of one training, or somewhat more
MAX_PROGRAMS = 12  # compiled programs in memory
MAX_SECONDS = 120.0  # of one training


class Program:
    """The compiled functions of one experiment with fixed static parameters; all else is traced, also the random key."""

    def __init__(self, name: str, static: tuple):
        """Nothing is compiled before the first call."""
        compose, fixed = find(name).compose, dict(static)

        def begin(key, traced):
            made = compose(key, **traced, **fixed)
            return made.dynamics.begin(made.objective, made.init), jnp.asarray(made.when), made.measure

        def advance(key, traced, carry, when):
            made = compose(key, **traced, **fixed)
            return made.dynamics.advance(made.objective, made.init, carry, when, made.read, None)

        def conclude(key, traced, carry, last):
            made = compose(key, **traced, **fixed)
            return made.dynamics.conclude(made.objective, made.init, carry, last)[1]

        self.begin, self.advance = eqx.filter_jit(begin), eqx.filter_jit(advance)
        self.conclude = eqx.filter_jit(conclude)
        self.ready = False
        self.lock = threading.Lock()


@lru_cache(MAX_PROGRAMS)
def program(name: str, static: tuple) -> Program:
    """The program of an experiment and its static parameters; the most recent are kept."""
    return Program(name, static)


def train(config: TrainingConfig, report_state: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    """The curves of a training in chunks, each with its offset; last, the outcome.

    `report_state` gets "compiling" if the program is new, and then "running".
    """
    found, key, values = prepare(config)
    if not found.ready:
        report_state("compiling")
        compile_program(config)
    report_state("running")
    started = time.perf_counter()
    carry, when, measure = found.begin(key, values)
    times = np.asarray(when)
    size = chunk_size(times.size)
    done, timed_out = 0, False
    while done < times.size and not bool(carry.over) and not timed_out:
        carry, read = found.advance(key, values, carry, when[done : done + size])
        yield {
            "offset": done,
            "total": int(times.size),
            "measure": measure,
            "time": times[done : done + size].astype(float).tolist(),
            **{name: np.asarray(read[name], float).tolist() for name in ("train", "test")},
        }
        done += size
        timed_out = time.perf_counter() - started > MAX_SECONDS
    outcome = found.conclude(key, values, carry, times[-1])
    sentence = f"stopped at the time limit of {MAX_SECONDS:g} seconds" if timed_out else outcome.sentence
    yield {"outcome": sentence, "ok": bool(outcome.ok) and not timed_out, "seconds": time.perf_counter() - started}


def prepare(config: TrainingConfig) -> tuple[Program, Any, dict[str, Any]]:
    """The program of a configuration, and the key and the values to call it with."""
    traced, static = config.split()
    values = {name: jnp.asarray(float(value)) for name, value in traced.items()}
    return program(config.experiment, static), trial_key(config.seed, 0), values


def compile_program(config: TrainingConfig) -> None:
    """Compile the program of a configuration, once, by running its first chunk."""
    found, key, values = prepare(config)
    with found.lock:
        if found.ready:
            return
        carry, when, _ = found.begin(key, values)
        carry, _ = found.advance(key, values, carry, when[: chunk_size(when.size)])
        jax.block_until_ready(found.conclude(key, values, carry, np.asarray(when)[-1]).code)
        found.ready = True


def chunk_size(count: int) -> int:
    """How many times make a chunk: a divisor of `count`, so that one program fits all chunks."""
    return next(size for size in range(max(1, count // UPDATES), 0, -1) if count % size == 0)
