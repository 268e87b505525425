r"""Theorem D.2: coherent matrices take more entries: $C\max(\mu_1^2,\sqrt{\mu_0}\mu_1,\mu_0n^{1/4})nr\beta\log n$ at random."""

import numpy as np

from ...lab import Param
from ...lab.settings.recoverable import TRIALS, masks
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Drawing
from .sample_counts import certified, share_panel, told_apart

BETA = 2.0  # of the theorem, which takes any above


def needed(data, rows, cols, rank, aware):
    """The number of entries of the theorem, over C; with coherences of one where it is not aware of them."""
    longer = max(rows, cols)
    mu0, mu1 = (data.mu0, data.mu1) if aware else (1.0 + 0 * data.mu0, 1.0 + 0 * data.mu1)
    largest = np.maximum(np.maximum(mu1**2, mu0**0.5 * mu1), mu0 * longer**0.25)
    return largest * longer * rank * BETA * np.log(longer)


def judge(data, rows, cols, rank, factor, aware) -> Evidence:
    """Draws with as many entries as the theorem asks for, and shares at one number of entries as coherence grows."""
    found = told_apart(data)
    many = data.known >= factor * needed(data, rows, cols, rank, aware)
    share = found.mean("trial").isel(n=0)
    return Evidence(
        sound=[
            certified(data),
            at_least("draws with as many entries as it takes", many.sum(), 10, why="else nothing is said"),
        ],
        holds=[
            at_least(
                "share recovered of the draws with as many entries as it takes",
                found.where(many).mean(),
                0.95,
                why="nearly all; entries are few and may leave out a row",
            ),
            at_least(
                "share recovered of flat matrices, less that of the most coherent, with the fewest entries",
                share.isel(spike=0) - share.isel(spike=-1),
                0.2,
                why="coherence must matter: most draws of a flat matrix and few of a spiky one; eight draws each, a deviation of "
                "0.15",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Shares against the number of entries, from flat to spiky matrices."""
    return Drawing(
        [share_panel(told_apart(data).mean("trial"), "spike", "spike")],
        columns=1,
        caption="Entries at random places of matrices that are flat (spike -1), random (0) or carried by a few rows and "
        "columns (near 1): the share of draws whose truth has the least nuclear norm of all that fit.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Coherent matrices take more random entries",
    says="C max(mu1^2, mu0^(1/2) mu1, mu0 n^(1/4)) n r beta log(n) random entries tell a matrix, mu0 its largest local "
    "coherence and mu1 that of U V', beta = 2; here C = 0.55. Without the coherences they do not.",
    source="beyond_l2, theorem D.2",
    simulation=masks(
        Param("spike", (-1.0, -0.7, 0.0, 0.7), smoke=(-1.0, 0.7), low=-1.0, high=0.99, unit="from flat to a few rows"),
        Param("n", (65, 70, 100), (220, 280, 340), smoke=(24, 30), low=1, high=40_000, unit="known entries"),
        Param("rows", 12, 24, smoke=7, low=2, high=200, unit="rows"),
        Param("cols", 10, 20, smoke=6, low=2, high=200, unit="columns"),
        Param("trials", 8, 30, smoke=2, low=1, high=10_000, unit=TRIALS.unit, static=True),
    ),
    judge=judge,
    draw=draw,
    constants={"factor": 0.55, "aware": True},
    least={"spike": 2},
    control=Control(
        "coherences of one for all matrices",
        changes={"aware": False},
        breaks=("share recovered of the draws with as many entries as it takes",),
    ),
    seconds={"quick": 15, "paper": 900},
)
