"""A diagonal net on labels of a dense direction: its kernel generalizes at once, and decay takes that away late."""

import jax.random as jr

from ...problems import margin_classification
from ..experiment import Composed, Experiment
from ..params import Param
from .grokking import NET, classification


def compose(key, *, alpha, decay, depth, n, d, gap) -> Composed:
    """Every weight of the net begins at alpha."""
    problem = margin_classification(jr.fold_in(key, 0), n=n, d=d, gap=gap, test=2_000)
    return classification(problem, alpha=alpha, decay=decay, depth=depth, d=d)


EXPERIMENT = Experiment(
    name="misgrokking",
    title="Dense labels that a diagonal net unlearns",
    says="The kernel's answer is dense and right, the late one sparse and wrong: test accuracy falls while training stays.",
    params=(
        *NET,
        Param("n", 32, low=4, high=200, unit="samples", static=True),
        Param("d", 1_000, low=20, high=2_000, unit="inputs", static=True),
        Param("gap", 5.0, low=0.0, high=50.0, unit="between the classes, in deviations"),
    ),
    compose=compose,
)
