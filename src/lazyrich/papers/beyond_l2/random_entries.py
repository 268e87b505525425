r"""Theorems D.1 to D.3: how many random entries determine a matrix of low rank, by its size and its coherence."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Panel, Points
from ...claims.marks import family
from ...lab import Param
from .shared.sample_counts import certified, fraction_panel, recovered
from .simulations.recoverable import LOCAL, TRIALS, masks

BETA = 2.0  # of theorem D.2, which admits any above 1


def judge_size(data, factor, enough) -> Evidence:
    """Fractions of trials recovered from so many entries, and from fewer."""
    fraction = recovered(data).mean("trial")
    return Evidence(
        sound=[certified(data)],
        holds=[
            at_least(
                r"fraction recovered from $Cn^{5/4}r\log n$ entries, mean over sizes",
                fraction.where(factor >= enough).mean(),
                0.7,
                key="enough",
                why="nearly all; a few of twenty trials may fail at sizes as small as these",
            ),
            at_most(
                "fraction recovered from the fewest entries, mean",
                fraction.isel(factor=0).mean(),
                0.5,
                key="fewest",
                why="the number matters: half as many do not determine most matrices",
            ),
        ],
    )


def draw_size(data) -> Drawing:
    """Fractions against the factor, for each size."""
    label = r"observed entries / $(n^{5/4}r\log n)$"
    return Drawing(
        [fraction_panel(recovered(data).mean("trial"), "rows", "$n$ =", x="factor", label=label)],
        columns=1,
        caption="Random matrices of low rank: the fraction of trials whose ground truth is the minimum-nuclear-norm interpolant.",
    )


def needed(data, rows, cols, rank, aware):
    """The number of entries of the theorem, over C; with all coherences one unless `aware`."""
    longer = max(rows, cols)
    mu0, mu1 = (data.mu0, data.mu1) if aware else (1.0 + 0 * data.mu0, 1.0 + 0 * data.mu1)
    largest = np.maximum(np.maximum(mu1**2, mu0**0.5 * mu1), mu0 * longer**0.25)
    return largest * longer * rank * BETA * np.log(longer)


def judge_coherent(data, rows, cols, rank, factor, aware) -> Evidence:
    """Trials with as many entries as the theorem asks for, and fractions at one number of entries as coherence grows."""
    found = recovered(data)
    many = data.known >= factor * needed(data, rows, cols, rank, aware)
    fewest = found.mean("trial").isel(n=0)
    return Evidence(
        sound=[
            certified(data),
            at_least("trials with enough entries", many.sum(), 10, key="trials", why="a fraction of fewer is uncertain"),
        ],
        holds=[
            at_least(
                "fraction recovered of the trials with enough entries",
                found.where(many).mean(),
                0.95,
                key="enough",
                why="nearly all; so few entries may leave out a row",
            ),
            at_least(
                "fraction recovered of flat minus most coherent matrices, from the fewest entries",
                fewest.isel(spike=0) - fewest.isel(spike=-1),
                0.2,
                key="coherence",
                why="most flat matrices and few spiky ones; with eight trials each the standard deviation is 0.15",
            ),
        ],
    )


def draw_coherent(data) -> Drawing:
    """Fractions against the number of entries, from flat to spiky matrices."""
    return Drawing(
        [fraction_panel(recovered(data).mean("trial"), "spike", "spike")],
        columns=1,
        caption="Entries at random places of matrices that are flat (spike -1), random (0) or concentrated on a few rows and "
        "columns (near 1): the fraction of trials whose ground truth is the minimum-nuclear-norm interpolant.",
    )


def judge_local(data, factor, rank, rows, cols) -> Evidence:
    """Fractions of trials recovered, and how many entries that took."""
    fraction, known = recovered(data).mean("trial"), data.known.mean("trial")
    at_mean = 2 * factor * max(rows, cols) * rank * np.log(rows + cols) ** 2
    return Evidence(
        sound=[certified(data)],
        holds=[
            at_least(
                "fraction recovered, minimum over ranks and coherences",
                fraction.min(),
                0.7,
                key="smallest",
                why="nearly all; one or two of eight trials may fail at sizes as small as these",
            ),
            at_least("fraction recovered, mean", fraction.mean(), 0.9, key="mean", why="nearly all"),
            at_most(
                r"mean number of entries / $(2c\max(m,n)r\log^2(m+n))$, maximum",
                (known / at_mean).max(),
                1,
                key="count",
                why="local coherences are one on average, and probabilities are at most one",
            ),
            at_most(
                "entries of the most coherent matrices / those of random ones, maximum",
                (known.isel(spike=-1) / known.isel(spike=0)).max(),
                0.85,
                key="fewer",
                why="the matrix is concentrated on a few rows and columns, which are observed with probability one, no more",
            ),
        ],
    )


def draw_local(data) -> Drawing:
    """Recovered fractions and numbers of entries against the spike."""
    x = Axis("spike: from random to a few rows")
    return Drawing(
        [
            Panel(family("rank {}", data.spike, values.mean("trial"), "rank", mark=Points), x, Axis(name, low=0.0))
            for values, name in (
                (recovered(data), "fraction of trials recovered"),
                (data.known, "mean number of observed entries"),
            )
        ],
        caption="Entries sampled by local coherence. Left: the ground truth is the minimum-nuclear-norm interpolant in nearly "
        "all trials, however coherent it is. Right: coherent matrices need fewer entries.",
    )


theorem = partial(Claim, kind="theorem", seconds={"quick": 15, "paper": 900})
CLAIMS = (
    theorem(
        id="beyond_l2/theorem_d_1",
        title="How many random entries determine a matrix",
        says=r"There is a $C$ such that $Cn^{5/4}r\log n$ random entries, $n$ the longer side, make a random matrix of rank "
        "$r$ the minimum-nuclear-norm interpolant; here $C=1.8$, and half of it is not enough.",
        source="beyond_l2, theorem D.1",
        simulation=masks(
            Param("rows", (10, 14), (14, 20, 28), smoke=(5, 6), low=3, high=200, unit="rows: the longer side"),
            Param("factor", (0.8, 1.3, 1.8), smoke=(0.8, 1.8), low=0.01, high=100.0, unit="$C$"),
            Param("cols", "=rows-2", low=2, high=200, unit="columns"),
            Param("n", "=factor*rows**1.25*rank*log(rows)", low=1, high=100_000, unit="observed entries, at most all"),
            Param("trials", 10, 30, smoke=2, low=1, high=10_000, unit=TRIALS.unit, static=True),
        ),
        judge=judge_size,
        draw=draw_size,
        constants={"enough": 1.8},
        least={"factor": 2},
        controls=[Control("$C=0.8$", changes={"enough": 0.8}, breaks=("enough",))],
    ),
    theorem(
        id="beyond_l2/theorem_d_2",
        title="Coherent matrices need more random entries",
        says=r"$C\max(\mu_1^2,\sqrt{\mu_0}\mu_1,\mu_0n^{1/4})nr\beta\log n$ random entries determine a matrix, $\mu_0$ its "
        r"largest local coherence and $\mu_1$ that of $UV^\top$, $\beta=2$; here $C=0.55$. Without the coherences they do not.",
        source="beyond_l2, theorem D.2",
        simulation=masks(
            Param("spike", (-1.0, -0.7, 0.0, 0.7), smoke=(-1.0, 0.7), low=-1.0, high=0.99, unit="from flat to a few rows"),
            Param("n", (65, 70, 100), (220, 280, 340), smoke=(24, 30), low=1, high=40_000, unit="observed entries"),
            Param("rows", 12, 24, smoke=7, low=2, high=200, unit="rows"),
            Param("cols", 10, 20, smoke=6, low=2, high=200, unit="columns"),
            Param("trials", 8, 30, smoke=2, low=1, high=10_000, unit=TRIALS.unit, static=True),
        ),
        judge=judge_coherent,
        draw=draw_coherent,
        constants={"factor": 0.55, "aware": True},
        least={"spike": 2},
        controls=[Control("coherences of one for all matrices", changes={"aware": False}, breaks=("enough",))],
    ),
    theorem(
        id="beyond_l2/theorem_d_3",
        title="Entries sampled by local coherence determine every matrix",
        says=r"If each entry is observed with probability $c(\mu_i+\nu_j)r\log^2(m+n)/\min(m,n)$, with the local coherences "
        r"$\mu$ and $\nu$, at most $2c\max(m,n)r\log^2(m+n)$ entries make any matrix the minimum-nuclear-norm interpolant.",
        source="beyond_l2, theorem D.3",
        simulation=LOCAL,
        judge=judge_local,
        draw=draw_local,
        controls=[Control("as many entries, sampled uniformly", changes={"local": 0}, breaks=("smallest", "mean"))],
    ),
)
