"""What figures of the convex baseline share: the least l1 norm's error, and how many measurements it needs."""

import numpy as np

from ...lab.settings.few_rows import trimmed
from ...numerics.statistical_dimension import l1_dimension
from ..axes import along
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


def law(d, sparsity, coherence):
    r"""$N = d\psi/(1-\tau(1-\psi))$: there $(1-\tau)N$ Gaussian rows are $\psi$ of the $d-\tau N$ entries that no row reads."""
    psi = along([l1_dimension(float(s) / d) for s in np.atleast_1d(sparsity)], "sparsity", np.atleast_1d(sparsity))
    return d * psi / (1 - coherence * (1 - psi))
