"""What figures of the convex baseline share: the least l1 norm's error, and how many measurements it needs."""

import math
from bisect import bisect_left

import numpy as np

from ...lab.settings.few_rows import trimmed
from ...numerics.statistical_dimension import l1_dimension
from ..axes import along, side_by_side
from .limits import SAME


def refer(problem, n, coherence):
    """The interpolant of least l1 norm: how far it is from the truth, relative, and whether it is certified."""
    from ...predictors import MinL1

    few = trimmed(problem, int(n), coherence)
    told = MinL1().solve(few.train)
    truth = np.asarray(few.truth)
    return {"error": np.linalg.norm(told.effective - truth) / np.linalg.norm(truth), "certified": float(told.ok)}


def needed(error):
    """How many measurements find the truth in half of the draws, linear between the numbers that were tried."""
    found = (error < SAME).mean("trial").transpose(..., "n")
    counts = found.n.values
    # Draws come and go: what is needed is read where the share is above a half for good.
    least = np.minimum.accumulate(found.values[..., ::-1], axis=-1)[..., ::-1]

    def crossing(shares):
        at = int(np.argmax(shares >= 0.5))
        if shares[at] < 0.5:
            return np.inf
        if at == 0:
            return float(counts[0])
        part = (0.5 - shares[at - 1]) / (shares[at] - shares[at - 1])
        return float(counts[at - 1] + part * (counts[at] - counts[at - 1]))

    values = np.apply_along_axis(crossing, -1, least)
    return found.isel(n=0, drop=True).copy(data=values)


def dimension(d, sparsity):
    """The statistical dimension for each number of entries."""
    return along([d * l1_dimension(float(s) / d) for s in np.atleast_1d(sparsity)], "sparsity", np.atleast_1d(sparsity))


def law(d, sparsity, coherence):
    """From how many measurements on half of the draws are found, for each number of entries and each coherence."""
    shares = np.atleast_1d(coherence)
    rows = [
        along([_half(d, int(s), float(tau)) for s in np.atleast_1d(sparsity)], "sparsity", np.atleast_1d(sparsity))
        for tau in shares
    ]
    return side_by_side(rows, "coherence").assign_coords(coherence=shares)


def _half(d: int, sparsity: int, coherence: float) -> int:
    """The first number of rows that finds half of the draws: more rows find more, and all find every one."""
    return 1 + bisect_left(range(1, d), 0.5, key=lambda n: _found(n, d, sparsity, coherence))


def _found(n: int, d: int, sparsity: int, coherence: float) -> float:
    """The share of draws whose entries that no plain row reads are few enough for the Gaussian rows.

    Their number has a hypergeometric law, and they are to be found among the unknowns that no plain row reads.
    """
    plain = math.floor(coherence * n + 1e-9)
    left = d - plain
    most = min(sparsity, left)
    # The statistical dimension grows with the number of entries: the first that is too much ends the sum.
    enough = 1 + bisect_left(range(1, most + 1), True, key=lambda k: left * l1_dimension(k / left) > n - plain)
    return sum(math.comb(left, k) * math.comb(plain, sparsity - k) for k in range(enough)) / math.comb(d, sparsity)
