"""Images of ten classes, read from files that lie on this machine; nothing is ever downloaded or unpickled."""

import gzip
import pathlib
import zlib
from functools import cache
from typing import Any

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ..errors import BadInput
from ..types import Key
from .base import Problem, Split, require_count

CLASSES = 10
IMAGES, LABELS = 2051, 2049  # the magic numbers of MNIST's two kinds of file
CIFAR_RECORD = 1 + 3 * 32 * 32  # a class, then the red, green and blue planes


def mnist(folder, *, counts: tuple[int, int] = (60_000, 10_000), dtype: Any = float) -> Problem[Split]:
    r"""Handwritten digits of 28 by 28 pixels: $x\in[0, 1]^{784}$, classes 0 to 9, 60,000 to train on and 10,000 to test on.

    Reads `train-images-idx3-ubyte`, `train-labels-idx1-ubyte` and the two `t10k-` files, raw or with `.gz`. There is no
    known truth: it is empty. `counts` are the numbers of images that the files must hold.
    """
    parts = []
    for stem, count in zip(("train", "t10k"), counts, strict=True):
        pixels = _idx(folder, f"{stem}-images-idx3-ubyte", IMAGES, (count, 28, 28))
        labels = _idx(folder, f"{stem}-labels-idx1-ubyte", LABELS, (count,))
        parts.append(_split(pixels.reshape(count, -1), labels, f"{stem}-labels-idx1-ubyte", dtype))
    return Problem(*parts, truth=jnp.zeros(0), law=None)


def cifar10(folder, *, per_file: int = 10_000, dtype: Any = float) -> Problem[Split]:
    r"""Color photographs: $x\in[0, 1]^{32\times 32\times 3}$, classes 0 to 9, 50,000 to train on and 10,000 to test on.

    Reads `data_batch_1.bin` to `data_batch_5.bin` and `test_batch.bin`, the binary layout: records of one class and 3,072
    bytes of pixels, a plane for each color. There is no known truth: it is empty.
    """
    batches = [[f"data_batch_{i}.bin" for i in range(1, 6)], ["test_batch.bin"]]
    return Problem(*(_records(folder, names, per_file, dtype) for names in batches), truth=jnp.zeros(0), law=None)


@cache
def _digits() -> tuple[np.ndarray, np.ndarray]:
    """Pixels and classes, read once."""
    from sklearn.datasets import load_digits

    pixels, classes = (np.asarray(part, float) for part in load_digits(return_X_y=True))
    return pixels / 16, classes


def digits(key: Key, *, test: int = 500) -> Problem[Split]:
    r"""Handwritten digits of 8 by 8 pixels, real ones, that come with scikit-learn: $x\in[0, 1]^{64}$, 1,797 in all.

    They have no test set of their own: the key draws `test` of them. There is no known truth: it is empty.
    """
    require_count("test", test)
    x, y = (jnp.asarray(part) for part in _digits())
    if test >= y.size:
        raise BadInput(
            needed=f"digits() has {y.size} images and keeps at least one to train on",
            given=f"test={test}",
            cure="Use for example test=500.",
        )
    order = jr.permutation(key, y.size)
    train, held = (Split(x[part], y[part]) for part in (order[test:], order[:test]))
    return Problem(train, held, truth=jnp.zeros(0), law=None)


def _idx(folder, name: str, magic: int, shape: tuple[int, ...]) -> np.ndarray:
    """The bytes of an IDX file of this magic number and shape."""
    header = 4 + 4 * len(shape)
    size = header + int(np.prod(shape))
    wanted = f"{name} (or {name}.gz) with magic number {magic} and sizes {', '.join(map(str, shape))}, {size:,} bytes"
    raw = _bytes(folder, (name, f"{name}.gz"), size, wanted)
    found = np.frombuffer(raw[:header], dtype=">u4").tolist() if len(raw) >= header else []
    if found != [magic, *shape]:
        given = f"magic number {found[0]} and sizes {', '.join(map(str, found[1:]))}" if found else f"{len(raw)} bytes"
        raise _refusal(folder, wanted, given)
    _require_size(folder, wanted, raw, size)
    return np.frombuffer(raw, np.uint8, offset=header).reshape(shape)


def _records(folder, names: list[str], count: int, dtype: Any) -> Split:
    """The records of several files, as images with the colors last."""
    parts = []
    for name in names:
        size = count * CIFAR_RECORD
        wanted = f"{name} with {count:,} records of {CIFAR_RECORD:,} bytes, {size:,} bytes"
        raw = _bytes(folder, (name,), size, wanted)
        _require_size(folder, wanted, raw, size)
        parts.append(np.frombuffer(raw, np.uint8).reshape(count, CIFAR_RECORD))
    table = np.concatenate(parts)
    planes = table[:, 1:].reshape(-1, 3, 32, 32)
    return _split(planes.transpose(0, 2, 3, 1), table[:, 0], " or ".join(names), dtype)


def _bytes(folder, names: tuple[str, ...], most: int, wanted: str) -> bytes:
    """The contents of the first of these files that is there; at most one byte more than wanted, whatever it unpacks to."""
    for path in (pathlib.Path(folder) / name for name in names):
        if path.is_file():
            try:
                with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
                    return file.read(most + 1)
            except (OSError, EOFError, zlib.error) as error:
                raise _refusal(folder, wanted, f"{path.name}, which cannot be read ({error})") from error
    raise _refusal(folder, wanted, "no such file")


def _split(pixels: np.ndarray, labels: np.ndarray, name: str, dtype: Any) -> Split:
    if labels.size and labels.max() >= CLASSES:
        raise BadInput(
            needed=f"{name} holds classes from 0 to {CLASSES - 1}",
            given=f"a class {labels.max()}",
            cure="Bring the file again from where it came.",
        )
    return Split(jnp.asarray(pixels.astype(dtype) / 255), jnp.asarray(labels.astype(dtype)))


def _require_size(folder, wanted: str, raw: bytes, size: int) -> None:
    if len(raw) != size:
        raise _refusal(folder, wanted, "more than that" if len(raw) > size else f"a file cut short at {len(raw):,} bytes")


def _refusal(folder, wanted: str, given: str) -> BadInput:
    return BadInput(
        needed=f"the folder {folder} must hold {wanted}",
        given=given,
        cure="Bring the file again from where it came, or give another folder.",
    )
