r"""Many Gaussian starts of a linear net, of any width: the level of their imbalance, their defect, their singular values."""

import numpy as np

from ..params import Param
from ..simulation import Simulation
from .dictionaries import generator
from .linear_net_flow import require_under_determined


def triangles(random: np.random.Generator, rows: int, width: float, draws: int) -> np.ndarray:
    r"""Lower triangles $L$ whose $LL^\top$ have the law of $GG^\top$, $G$ with so many rows and $h$ columns of normal entries.

    The width is at least the number of rows.
    """
    below = np.tril(random.standard_normal((draws, rows, rows)), -1)
    squares = random.chisquare(np.maximum(width - np.arange(rows), 1.0), (draws, rows))
    return below + np.sqrt(squares)[:, None, :] * np.eye(rows)


def measure(key, *, n, d, outputs, width, exponent, draws) -> dict[str, np.ndarray]:
    r"""Of each start $[V; U_1; U_2]$ with entries of deviation $h^{-a}$: the level, $\|Z\|_F$, $\|U_1V^\top\|_F$.

    `least` and `most` are the ends of its singular values, over the deviation.
    """
    require_under_determined(n, d)
    start = triangles(generator(key), d + outputs, width, draws)
    seen = outputs + n
    gram = start @ start.swapaxes(1, 2)
    moving = start[:, :seen]
    signs = np.concatenate([-np.ones(outputs), np.ones(n)])
    values = np.linalg.eigvalsh(moving.swapaxes(1, 2) @ (signs[:, None] * moving))
    sizes = np.linalg.svd(start, compute_uv=False)
    scale = width ** (-2 * exponent)
    return {
        "level": scale * (np.maximum(values[:, -n], 0) + np.maximum(-values[:, outputs - 1], 0)),
        "defect": scale * np.sqrt((gram[:, :seen, seen:] ** 2).sum((1, 2))),
        "product": scale * np.sqrt((gram[:, outputs:seen, :outputs] ** 2).sum((1, 2))),
        "least": sizes[:, -1],
        "most": sizes[:, 0],
    }


SIMULATION = Simulation(
    measure,
    params=[
        Param("n", 5, 20, smoke=3, low=1, high=1_000, unit="samples"),
        Param("d", 10, 50, smoke=5, low=2, high=1_000, unit="inputs"),
        Param("outputs", 2, 5, low=1, high=100),
        Param(
            "width",
            (500.0, 5e3, 5e4, 5e6),
            (2e3, 2e4, 2e5, 2e7),
            smoke=(500.0, 5e3),
            low=1,
            high=1e12,
            unit="hidden units",
        ),
        Param("exponent", (0.3, 0.4, 0.5), smoke=(0.5,), low=0.0, high=2.0, unit="a: weights of deviation h^-a"),
        Param("draws", 1_000, 5_000, smoke=50, low=2, high=1_000_000, unit="starts a trial"),
    ],
    returns=dict.fromkeys(("level", "defect", "product", "least", "most"), "s"),
    host=True,
)
