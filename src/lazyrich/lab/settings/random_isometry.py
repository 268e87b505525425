r"""Tall random matrices with all of their sets of columns: how the isometry constant falls with the measurements."""

import numpy as np

from ...numerics.coherence import isometry
from ..params import Param
from ..simulation import Simulation
from .dictionaries import generator


def measure(key, *, n, d, most, signs, scaled, matrices) -> dict[str, np.ndarray]:
    r"""$\delta_s(\sqrt{d/n}X)$ of $n\times d$ matrices with entries of variance $1/d$, for $s$ from 1 to `most`.

    Entries are Gaussian, or signs where `signs` is 1. Where `scaled` is 0 it is $\delta_s(X)$.
    """
    random = generator(key)
    found = np.zeros((matrices, most))
    for one in found:
        x = random.choice([-1.0, 1.0], (n, d)) if signs else random.standard_normal((n, d))
        x = x / np.sqrt(n if scaled else d)
        one[:] = [isometry(x, s) for s in range(1, most + 1)]
    return {"isometry": found}


SIMULATION = Simulation(
    measure,
    params=[
        Param(
            "n",
            (200, 800, 3_200),
            (200, 800, 3_200, 12_800),
            smoke=(50, 200),
            low=10,
            high=1_000_000,
            unit="measurements",
        ),
        Param("d", (8, 16), (8, 16, 32), smoke=(6,), low=4, high=100, unit="unknowns"),
        Param("most", 3, smoke=2, low=2, high=5, unit="largest sparsity s"),
        Param("signs", (0, 1), low=0, high=1, unit="0: Gaussian entries, 1: signs"),
        Param("scaled", 1, low=0, high=1, unit="1: columns of mean square length one"),
        Param("matrices", 15, 40, smoke=5, low=2, high=10_000, unit="matrices a draw"),
    ],
    returns={"isometry": "r s"},
    host=True,
)
