r"""Gaussian measurements beside an orthonormal basis: the largest product of a row with a direction."""

import numpy as np

from ..params import Param
from ..simulation import Simulation
from .dictionaries import generator


def measure(key, *, n, d, kept, power, repeats) -> dict[str, np.ndarray]:
    r"""$\max_{ij}|\langle x_i, \phi_j\rangle|$ of `repeats` draws of $n$ rows with entries $N(0, d^{-2a})$.

    The same with rows of length one is `normalized`. The directions are the same for all draws: a random basis of `kept` of the
    $d$ dimensions, rounded up.
    """
    random = generator(key)
    basis = np.linalg.qr(random.standard_normal((d, d)))[0][:, : int(np.ceil(kept * d))]
    rows = random.standard_normal((repeats, n, d)) / d**power
    products = np.abs(rows @ basis)
    lengths = np.linalg.norm(rows, axis=2, keepdims=True)
    return {
        "largest": products.max(axis=(1, 2)),
        "normalized": (products / lengths).max(axis=(1, 2)),
        "directions": np.asarray(float(basis.shape[1])),
    }


SIMULATION = Simulation(
    measure,
    params=[
        Param("n", (1, 5), (1, 5, 20), smoke=(2,), low=1, high=1_000, unit="measurements"),
        Param("d", (3, 8, 20), (3, 8, 20, 50), smoke=(3, 8), low=2, high=1_000, unit="unknowns"),
        Param("kept", (0.5, 1.0), smoke=(1.0,), low=0.01, high=1.0, unit="directions over unknowns"),
        Param("power", (0.5, 1.0), smoke=(1.0,), low=0.0, high=3.0, unit="a: entries of size d^-a"),
        Param("beta", (1.01, 1.25), smoke=(1.01,), low=1.001, high=10.0, unit="how far out, over the theorem's least"),
        Param("repeats", 2_000, 20_000, smoke=200, low=10, high=1_000_000, unit="draws of the measurements"),
    ],
    returns={"largest": "r", "normalized": "r", "directions": ""},
    host=True,
)
