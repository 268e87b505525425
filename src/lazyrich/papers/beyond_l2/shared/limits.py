r"""The slow flow, computed before training: the path of a vanishing $\ell_1$ penalty in rescaled time $\alpha\beta_1t$."""

import numpy as np

from ....claims.base import Reading, at_least
from ....dynamics.limits import SlowFlow
from ....losses import Squared
from ....models import Linear
from ....objective import Objective
from ....problems import Problem
from ....regularizers import L1

SAME = 1e-6  # relative distance to the ground truth that counts as equal: solvers reach 1e-10, other solutions are 1e-2 away


def slow_path(problem: Problem):
    r"""The slow flow of the $\ell_1$ norm from the least-squares solution, event by event."""
    objective = Objective(problem.train, Squared(), reduction="half_sum", penalties=[(L1(), 1.0)])
    return SlowFlow().path(objective, Linear.at_scale(0.0, dim=problem.truth.size))


def slow(problem: Problem, level: int | float) -> dict[str, float]:
    """When the slow flow is within `level` of the ground truth, when it stops, and its recovery error there and at first."""
    truth = np.asarray(problem.truth)
    path = slow_path(problem)
    recovery_error = np.linalg.norm(path.positions - truth, axis=1) / np.linalg.norm(truth)
    return {
        "generalization": path.first_within(truth, float(level)),
        "extinction": path.extinction,
        "recovery_error": float(recovery_error[-1]),
        "least_squares": float(recovery_error[0]),
    }


def recoverable(good) -> Reading:
    r"""That many ground truths have minimum $\ell_1$ norm."""
    return at_least(
        r"fraction of trials whose ground truth has minimum $\ell_1$ norm",
        good.mean(),
        0.5,
        key="recoverable",
        why="otherwise no strength recovers it; half of the trials is enough to judge by",
    )
