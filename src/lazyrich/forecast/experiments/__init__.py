"""The named experiments, one a file, imported only when they are asked for."""

import difflib
import importlib
from collections.abc import Iterator

from ...errors import BadInput
from ..experiment import Experiment

EXPERIMENTS: tuple[str, ...] = (
    "grokking",
    "misgrokking",
    "sparse_regression",
    "deep_regression",
    "matrix_completion",
    "l1_recovery",
    "linear_net",
    "modular_addition",
)


def find(name: str) -> Experiment:
    """The experiment of this name, or a refusal that names the nearest ones."""
    if name in EXPERIMENTS:
        return importlib.import_module(f".{name}", __name__).EXPERIMENT
    near = difflib.get_close_matches(name, EXPERIMENTS, n=3, cutoff=0.3)
    raise BadInput(
        needed=f"the experiments are {', '.join(EXPERIMENTS)}",
        given=repr(name),
        cure=f"Did you mean {near[0]}?" if near else "Choose one of them.",
    )


def every() -> Iterator[Experiment]:
    """Each experiment once."""
    return (find(name) for name in EXPERIMENTS)
