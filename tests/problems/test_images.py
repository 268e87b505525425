"""The loaders of images: what they read is what was written, and nothing else than the format is accepted."""

import gzip

import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.problems import cifar10, digits, mnist

COUNTS = (6, 3)
GENERATOR = np.random.default_rng(0)
PIXELS = [GENERATOR.integers(0, 256, (count, 28, 28), dtype=np.uint8) for count in COUNTS]
CLASSES = [GENERATOR.integers(0, 10, count, dtype=np.uint8) for count in COUNTS]
RECORDS = [(GENERATOR.integers(0, 10, 2, np.uint8), GENERATOR.integers(0, 256, (2, 3, 32, 32), np.uint8)) for _ in "123456"]
BATCHES = [*(f"data_batch_{i}.bin" for i in range(1, 6)), "test_batch.bin"]


def idx(magic, array):
    return np.array([magic, *array.shape], dtype=">u4").tobytes() + array.tobytes()


@pytest.fixture
def digits_folder(tmp_path):
    """Two files raw, two compressed."""
    for stem, pixels, classes in zip(("train", "t10k"), PIXELS, CLASSES, strict=True):
        (tmp_path / f"{stem}-images-idx3-ubyte.gz").write_bytes(gzip.compress(idx(2051, pixels)))
        (tmp_path / f"{stem}-labels-idx1-ubyte").write_bytes(idx(2049, classes))
    return tmp_path


@pytest.fixture
def photographs(tmp_path):
    for name, (classes, pixels) in zip(BATCHES, RECORDS, strict=True):
        (tmp_path / name).write_bytes(b"".join(bytes([c]) + p.tobytes() for c, p in zip(classes, pixels, strict=True)))
    return tmp_path


def test_mnist_is_what_was_written(digits_folder):
    problem = mnist(digits_folder, counts=COUNTS)
    for split, pixels, classes in zip((problem.train, problem.test), PIXELS, CLASSES, strict=True):
        np.testing.assert_array_equal(split.x, pixels.reshape(-1, 784) / 255)
        np.testing.assert_array_equal(split.y, classes)
    assert mnist(digits_folder, counts=COUNTS, dtype=jnp.float32).train.x.dtype == np.float32


def test_cifar10_is_what_was_written_with_colors_last(photographs):
    problem = cifar10(photographs, per_file=2)
    np.testing.assert_array_equal(problem.train.y, np.concatenate([classes for classes, _ in RECORDS[:5]]))
    np.testing.assert_array_equal(problem.test.y, RECORDS[5][0])
    assert problem.train.x.shape == (10, 32, 32, 3)
    for color in range(3):
        np.testing.assert_array_equal(problem.test.x[1, :, :, color], RECORDS[5][1][1, color] / 255)


NAME = "train-images-idx3-ubyte"
WHOLE = idx(2051, PIXELS[0])


@pytest.mark.parametrize(
    ("name", "raw", "said"),
    [
        (NAME, WHOLE[:-1], "cut short at 4,719 bytes"),
        (NAME, WHOLE + b"x", "more than that"),
        (NAME, WHOLE[:10], "10 bytes"),
        (NAME, b"", "0 bytes"),
        (NAME, gzip.compress(WHOLE), "magic number 529205248"),
        (NAME, idx(2049, PIXELS[0]), "magic number 2049"),
        (NAME, idx(2051, PIXELS[1]), "sizes 3, 28, 28"),
        (f"{NAME}.gz", WHOLE, "cannot be read"),
        (f"{NAME}.gz", gzip.compress(WHOLE)[:-100], "cannot be read"),
        (f"{NAME}.gz", gzip.compress(WHOLE + bytes(10**7)), "more than that"),
        ("t10k-labels-idx1-ubyte", idx(2051, CLASSES[1]), "magic number 2051"),
        ("t10k-labels-idx1-ubyte", idx(2049, CLASSES[1] + 10), "classes from 0 to 9"),
    ],
    ids=lambda part: part if isinstance(part, str) else f"{len(part)}-bytes",  # not the bytes: compressed ones hold the time
)
def test_a_file_that_is_not_mnist_is_refused_by_name(digits_folder, name, raw, said):
    (digits_folder / name).write_bytes(raw)
    with pytest.raises(BadInput, match=said) as refusal:
        mnist(digits_folder, counts=COUNTS)
    assert name.removesuffix(".gz") in str(refusal.value)


def test_missing_files_and_other_counts_are_refused(digits_folder, tmp_path_factory):
    with pytest.raises(BadInput, match="magic number 2051 and sizes 60000, 28, 28, 47,040,016 bytes; got magic"):
        mnist(digits_folder)
    (digits_folder / "t10k-labels-idx1-ubyte").unlink()
    with pytest.raises(BadInput, match="t10k-labels-idx1-ubyte .*no such file"):
        mnist(digits_folder, counts=COUNTS)
    with pytest.raises(BadInput, match="no such file"):
        mnist(tmp_path_factory.mktemp("none") / "nowhere")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda raw: raw[:-1], "cut short at 6,145"),
        (lambda raw: raw + b"x", "more than that"),
        (lambda raw: b"\x0b" + raw[1:], "a class 11"),
        (lambda raw: b"", "cut short at 0"),
    ],
)
def test_a_file_that_is_not_cifar10_is_refused_by_name(photographs, change, said):
    path = photographs / "data_batch_3.bin"
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(BadInput, match=said) as refusal:
        cifar10(photographs, per_file=2)
    assert "data_batch_3.bin" in str(refusal.value)
    path.unlink()
    with pytest.raises(BadInput, match="data_batch_3.bin .*no such file"):
        cifar10(photographs, per_file=2)


def test_pickles_are_not_looked_at(tmp_path):
    (tmp_path / "data_batch_1").write_bytes(b"cos\nsystem\n(S'exit 1'\ntR.")
    with pytest.raises(BadInput, match="data_batch_1.bin"):
        cifar10(tmp_path)


def test_digits_are_real_and_drawn_by_the_key():
    problem, other = digits(jr.key(0)), digits(jr.key(1))
    assert problem.train.x.shape == (1297, 64) and problem.test.x.shape == (500, 64)
    assert float(problem.train.x.min()) == 0 and float(problem.train.x.max()) == 1
    assert not np.array_equal(problem.test.y, other.test.y)
    counts = [np.bincount(np.concatenate([p.train.y, p.test.y]).astype(int)) for p in (problem, other)]
    np.testing.assert_array_equal(counts[0], [178, 182, 177, 183, 181, 182, 181, 179, 174, 180])
    np.testing.assert_array_equal(*counts)
    with pytest.raises(BadInput, match="1797 images"):
        digits(jr.key(0), test=1797)
