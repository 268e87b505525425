"""A diagonal net on labels of a dense direction: the kernel regime generalizes, and weight decay destroys that late."""

from typing import Any

import jax.random as jr

from ...lab.params import Param
from ...problems import margin_classification
from ...types import Key
from ..experiment import Composed, Experiment
from .grokking import NET, classification


def compose(key: Key, *, alpha: Any, weight_decay: Any, depth: int, n: int, d: int, gap: Any) -> Composed:
    r"""All weights of the net are initialized at $\alpha$."""
    problem = margin_classification(jr.fold_in(key, 0), n=n, d=d, gap=gap, test=2_000)
    return classification(problem, alpha=alpha, weight_decay=weight_decay, depth=depth, d=d)


EXPERIMENT = Experiment(
    name="misgrokking",
    title="A diagonal net misgroks dense labels",
    says="The kernel predictor is dense and generalizes, the late one is sparse and does not: test accuracy falls while training "
    "accuracy stays at 1.",
    params=(
        *NET,
        Param("n", 32, low=4, high=200, unit="samples", static=True),
        Param("d", 1_000, low=20, high=2_000, unit="inputs", static=True),
        Param("gap", 5.0, low=0.0, high=50.0, unit="between the classes, in standard deviations"),
    ),
    compose=compose,
)
