r"""Theorem D.3: entries drawn with probability $\propto\mu_i+\nu_j$ tell every matrix of low rank, however coherent."""

import numpy as np

from ...lab.settings.recoverable import LOCAL
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Panel, Points
from .sample_counts import certified, told_apart


def asked_for(factor, rank, rows, cols):
    r"""$2c\max(m, n)r\log^2(m+n)$: the mean number of entries, at most."""
    return 2 * factor * max(rows, cols) * rank * np.log(rows + cols) ** 2


def judge(data, factor, rank, rows, cols) -> Evidence:
    """Shares of draws that are recovered, and how many entries that took."""
    share, known = told_apart(data).mean("trial"), data.known.mean("trial")
    return Evidence(
        sound=[certified(data)],
        holds=[
            at_least(
                "share recovered, the least of all ranks and coherences",
                share.min(),
                0.7,
                why="nearly all; one or two of eight draws may fail at sizes as small as these",
            ),
            at_least("share recovered, the mean", share.mean(), 0.9, why="nearly all"),
            at_most(
                "mean number of entries over 2 c max(m, n) r log^2(m + n), the largest",
                (known / asked_for(factor, rank, rows, cols)).max(),
                1,
                why="local coherences are one on average, and probabilities end at one",
            ),
            at_most(
                "entries of the most coherent matrices over those of random ones, the largest",
                (known.isel(spike=-1) / known.isel(spike=0)).max(),
                0.85,
                why="what a few rows and columns carry is told by them: probabilities of one count once",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Recovered shares and numbers of entries against the spike."""
    share, known = told_apart(data).mean("trial"), data.known.mean("trial")
    panels = []
    for values, name in ((share, "share of draws recovered"), (known, "mean number of known entries")):
        marks = [
            Points(f"rank {int(r)}", data.spike.values, values.sel(rank=r).values, role=SERIES[at % len(SERIES)])
            for at, r in enumerate(data["rank"].values)
        ]
        panels.append(Panel(marks, x=Axis("spike: from random to a few rows"), y=Axis(name, low=0.0)))
    return Drawing(
        panels,
        caption="Entries drawn by local coherence. Left: the truth has the least nuclear norm in nearly all draws, "
        "however coherent it is. Right: coherent matrices take fewer entries.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Entries where the matrix is",
    says="If each entry is known with probability c (mu_i + nu_j) r log(m + n)^2 / min(m, n), mu and nu the local "
    "coherences, the matrix has the least nuclear norm of all that fit, however coherent it is, with at most 2 c "
    "max(m, n) r log(m + n)^2 entries.",
    source="beyond_l2, theorem D.3",
    simulation=LOCAL,
    judge=judge,
    draw=draw,
    control=Control(
        "as many entries everywhere alike",
        changes={"local": 0},
        breaks=("share recovered, the least of all ranks and coherences", "share recovered, the mean"),
    ),
    seconds={"quick": 15, "paper": 900},
)
