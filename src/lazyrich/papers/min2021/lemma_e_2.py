r"""Lemma E.2: $\sigma_i(A)\sigma_n(B)\le\sigma_i(AB)$ for $A$ of $k\times n$ and $B$ of $n\times m$ with $n\le m$."""

import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.dictionaries import generator
from ..base import Claim, Control, Evidence, at_most
from ..drawing import SERIES, Axis, Drawing, Panel, Points, Rule


def measure(key, *, rows, inner, cols, draws) -> dict[str, np.ndarray]:
    r"""$\sigma_i(AB)/(\sigma_i(A)\sigma(B))$ for the last $\sigma(B)$: the least over $i$, and the first.

    Columns of $A$ and rows of $B$ are scaled from one to a hundred, so that both have a condition; and a pair that is made to
    be tight, the last left vector of $B$ in $A$.
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


def judge(data) -> Evidence:
    """How many pairs miss the bound, and whether some reach it."""
    return Evidence(
        sound=[
            at_most(
                "ratio of pairs that are made to be tight, less one, the largest",
                abs(data.tight - 1).max(),
                1e-6,
                why="rounding over the condition of B, a thousand and more",
            )
        ],
        holds=[
            at_most(
                "share of pairs with a singular value of the product below the two",
                (data.ratio < 1 - 1e-9).mean(),
                0,
                why="the lemma, for every pair; a tolerance for rounding over the condition of both",
            )
        ],
    )


def draw(data, rows, inner, cols) -> Drawing:
    """The ratios of all draws, in order, for each shape of A."""
    marks = []
    for at, k in enumerate(np.atleast_1d(rows)):
        part = np.sort(data.ratio.sel(rows=int(k)).isel(cols=0).values.ravel())
        places = np.unique(np.geomspace(1, part.size, 40).astype(int)) - 1
        marks.append(
            Points(f"A of {int(k)} x {int(inner)}", (places + 1) / part.size, part[places], role=SERIES[at % 3])
        )
    return Drawing(
        [
            Panel(
                [*marks, Rule("the lemma", 1.0)],
                x=Axis("share of draws below", scale="log"),
                y=Axis("singular value of AB over the two", scale="log"),
            )
        ],
        columns=1,
        caption="The least over i of the product's singular value over those of the factors, all draws in order.",
    )


CLAIM = Claim(
    kind="lemma",
    title="Singular values of a product",
    says="Where B has no more rows than columns, the i-th singular value of AB is at least that of A times the least of B.",
    source="min2021, lemma E.2",
    simulation=Simulation(
        measure,
        params=[
            Param("rows", (2, 4, 7), smoke=(2, 4), low=1, high=100, unit="rows of A"),
            Param("inner", 4, low=1, high=100, unit="columns of A, rows of B"),
            Param("cols", (4, 6), smoke=(4,), low=1, high=100, unit="columns of B"),
            Param("draws", 1_000, 10_000, smoke=50, low=1, high=1_000_000, unit="pairs a trial"),
        ],
        returns=dict.fromkeys(("ratio", "first", "tight"), "s"),
        host=True,
    ),
    judge=judge,
    draw=draw,
    control=Control(
        "more rows than columns",
        changes={"cols": (3,)},
        breaks=("share of pairs with a singular value of the product below the two",),
    ),
    seconds={"quick": 4, "paper": 30},
)
