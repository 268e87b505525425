"""Long runs in segments: kept in a file after each, taken up again where they were left."""

import hashlib
import json
import os
import pathlib
import zipfile
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..errors import BadInput
from ..objective import Objective
from .base import AbstractSegmented, Read, Stop, moments
from .stepwise import AbstractStepwise
from .trajectory import Outcome, Trajectory

Notify = Callable[[int, int], None]


def in_segments(
    dynamics: AbstractSegmented,
    objective: Objective,
    init: Any,
    when: Any,
    read: Read,
    stop: Stop | None = None,
    *,
    file: str | os.PathLike,
    every: int = 10,
    notify: Notify = lambda done, total: None,
) -> Trajectory:
    """Run a flow or step-wise dynamics `every` moments at a time, and keep what is done in a file after each segment.

    The same call goes on where the last one was interrupted, and ends with the same numbers, bit for bit on the same
    device, since each segment is the same compiled program from the same numbers. A file of another objective, initialization,
    dynamics or other moments is refused. `notify(done, total)` counts moments.
    """
    whole = isinstance(dynamics, AbstractStepwise)
    times = np.asarray(moments(when, type(dynamics).__name__, whole=whole)).astype(int if whole else float)
    path, mark = pathlib.Path(file), _mark(dynamics, objective, init, times, sorted(read), every)
    carry = dynamics.begin(objective, init)
    done, parts = 0, []
    if path.exists():
        carry, done, parts = _take_up(path, mark, carry)
    program = eqx.filter_jit(lambda objective, carry, when: dynamics.advance(objective, init, carry, when, read, stop))
    while done < times.size and not bool(carry.over):
        carry, records = program(objective, carry, jnp.asarray(times[done : done + every]))
        parts.append(jax.tree.map(np.asarray, records))
        done = min(done + every, times.size)
        _keep(path, mark, carry, done, parts)
        notify(done, times.size)
    return _whole(dynamics, objective, init, times, carry, parts)


def _whole(dynamics, objective, init, times: np.ndarray, carry: Any, parts: list[Any]) -> Trajectory:
    """All segments in one; after an early end readings repeat the last one, or are NaN."""
    reads = jax.tree.map(lambda *each: np.concatenate(each), *parts)
    missing = times.size - jax.tree.leaves(reads)[0].shape[0]
    end, outcome, certificates = dynamics.conclude(objective, init, carry, times[-1])
    broken = int(outcome.code) > Outcome.STOPPED

    def fill(part):
        last = np.full_like(part[-1], np.nan) if broken else part[-1]
        return jnp.asarray(np.concatenate([part, np.broadcast_to(last, (missing, *last.shape))]))

    return Trajectory(jnp.asarray(times, float), None, jax.tree.map(fill, reads), end, outcome, certificates)


def _mark(*parts: Any) -> str:
    """A digest of all that a run depends on."""
    digest = hashlib.sha256()
    for part in parts:
        leaves, structure = jax.tree.flatten(part)
        digest.update(str(structure).encode())
        for leaf in leaves:
            array = np.asarray(jax.random.key_data(leaf) if _is_key(leaf) else leaf)
            digest.update(f"{array.dtype.str}{array.shape}".encode() + array.tobytes())
    return digest.hexdigest()


def _is_key(leaf: Any) -> bool:
    return isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)


def _keep(path: pathlib.Path, mark: str, carry: Any, done: int, parts: list[Any]) -> None:
    """Write all that is done under another name, then give it its own: the file is always whole."""
    arrays = {f"carry/{at}": _numbers(leaf) for at, leaf in enumerate(jax.tree.leaves(carry))}
    joined = jax.tree.map(lambda *each: np.concatenate(each), *parts)
    arrays |= {f"read/{name}": part for name, part in joined.items()}
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    with fresh.open("wb") as file:
        header = np.array(json.dumps({"mark": mark, "done": done}))
        np.savez(file, allow_pickle=False, header=header, **arrays)
    fresh.replace(path)


def _take_up(path: pathlib.Path, mark: str, like: Any) -> tuple[Any, int, list[Any]]:
    """What was done, if it belongs to this run."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        header = json.loads(str(arrays["header"]))
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise _refusal(path, f"a file that cannot be read ({type(error).__name__})") from error
    if header["mark"] != mark:
        raise _refusal(path, "the segments of another objective, initialization or dynamics, or of other moments")
    leaves, structure = jax.tree.flatten(like)
    found = [_restored(arrays[f"carry/{at}"], leaf) for at, leaf in enumerate(leaves)]
    reads = {name.removeprefix("read/"): part for name, part in arrays.items() if name.startswith("read/")}
    return jax.tree.unflatten(structure, found), header["done"], [reads]


def _numbers(leaf: Any) -> np.ndarray:
    return np.asarray(jax.random.key_data(leaf) if _is_key(leaf) else leaf)


def _restored(numbers: np.ndarray, like: Any) -> Any:
    return jax.random.wrap_key_data(jnp.asarray(numbers)) if _is_key(like) else jnp.asarray(numbers)


def _refusal(path: pathlib.Path, given: str) -> BadInput:
    return BadInput(
        needed=f"{path} holds the segments of the run to go on with",
        given=given,
        cure="Choose another file, or remove this one to begin anew.",
    )
