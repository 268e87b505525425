r"""Lemma E.2: $\sigma_i(A)\sigma_n(B) \leq \sigma_i(AB)$ for $A$ of $k \times n$ and $B$ of $n \times m$ with $n \leq m$."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_most
from ...claims.drawing import SERIES, Drawing, Points, Rule
from ...claims.marks import log_axis, one_panel
from ...lab import Param, Simulation
from ...lab.simulations.dictionaries import generator


def measure(key, *, rows, inner, cols, draws) -> dict[str, np.ndarray]:
    r"""$\sigma_i(AB)/(\sigma_i(A)\sigma_n(B))$: the minimum over $i$, and that of $i = 1$.

    Columns of $A$ and rows of $B$ are scaled by factors of up to a hundred, so that both are ill conditioned. In addition a pair
    constructed to be tight, with the last left singular vector of $B$ in $A$.
    """
    random = generator(key)
    a = random.standard_normal((draws, rows, inner)) * 10 ** random.uniform(-1, 1, (draws, 1, inner))
    b = random.standard_normal((draws, inner, cols)) * 10 ** random.uniform(-1, 1, (draws, inner, 1))
    size = np.linalg.svd(b, compute_uv=False)[:, -1:]
    count = min(rows, inner, cols)
    ratio = np.linalg.svd(a @ b, compute_uv=False)[:, :count] / (np.linalg.svd(a, compute_uv=False)[:, :count] * size)
    left = np.linalg.svd(b, full_matrices=False)[0][:, :, -1]
    made = random.standard_normal((draws, rows, 1)) * left[:, None, :]
    tight = np.linalg.norm(made @ b, axis=(1, 2)) / (np.linalg.norm(made, axis=(1, 2)) * size[:, 0])
    return {"ratio": ratio.min(axis=1), "first": ratio[:, 0], "tight": tight}


SIMULATION = Simulation(
    measure,
    params=[
        Param("rows", (2, 4, 7), smoke=(2, 4), low=1, high=100, unit="rows of $A$"),
        Param("inner", 4, low=1, high=100, unit="columns of $A$, rows of $B$"),
        Param("cols", (4, 6), smoke=(4,), low=1, high=100, unit="columns of $B$"),
        Param("draws", 1_000, 10_000, smoke=50, low=1, high=1_000_000, unit="pairs per trial"),
    ],
    returns=dict.fromkeys(("ratio", "first", "tight"), "s"),
    host=True,
)


def judge(data) -> Evidence:
    """How many pairs violate the bound, and whether some attain it."""
    distance, name = abs(data.tight - 1).max(), "distance of the ratio to 1 for pairs constructed to be tight, maximum"
    rounding = "rounding error times the condition number of $B$, a thousand and more"
    return Evidence(
        sound=[at_most(name, distance, 1e-6, key="tight", why=rounding)],
        holds=[
            at_most(
                r"fraction of pairs with $\sigma_i(AB) < \sigma_i(A)\sigma_n(B)$ for some $i$",
                (data.ratio < 1 - 1e-9).mean(),
                0,
                key="violations",
                why="the lemma, for every pair, up to rounding error times both condition numbers",
            )
        ],
    )


def draw(data, rows, inner, cols) -> Drawing:
    """The ratios of all draws in increasing order, for each shape of $A$."""
    marks = []
    for at, k in enumerate(np.atleast_1d(rows)):
        part = np.sort(data.ratio.sel(rows=int(k)).isel(cols=0).values.ravel())
        places = np.unique(np.geomspace(1, part.size, 40).astype(int)) - 1
        name = rf"$A$ of ${int(k)} \times {int(inner)}$"
        marks.append(Points(name, (places + 1) / part.size, part[places], role=SERIES[at % 3]))
    return one_panel(
        [*marks, Rule("lemma E.2", 1.0)],
        log_axis("fraction of draws below"),
        log_axis(r"$\min_i \sigma_i(AB)/(\sigma_i(A)\sigma_n(B))$"),
        r"Minimum over $i$ of $\sigma_i(AB)/(\sigma_i(A)\sigma_n(B))$, all draws in increasing order.",
    )


CLAIM = Claim(
    id="min2021/lemma_e_2",
    kind="lemma",
    title="Singular values of a product",
    says=r"$\sigma_i(AB) \geq \sigma_i(A)\sigma_n(B)$ for all $i$, where $B$ has $n$ rows and at least as many columns.",
    source="min2021, lemma E.2",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    controls=[Control("$B$ with more rows than columns", changes={"cols": (3,)}, breaks=("violations",))],
    seconds={"quick": 4, "paper": 30},
)
