"""What the figures of descent with a nuclear penalty share: the curves of one method, their readings and panels."""

import numpy as np

from ....claims.base import Reading, at_most
from ....claims.drawing import SERIES, Axis, Event, Panel, Rule
from ....claims.marks import log_axis
from .nuclear_limits import readable
from .phases import ERROR, STEPS, curve

ALIVE = 10  # steps of learning rate x strength above which a singular value counts as nonzero


def strongest(data, theory, good, method: str):
    """The curves of one method, by plain names, at the first learning rate and the smallest strength, of readable trials.

    `predicted` is when the slow flow recovers the ground truth, `rests` when it stops there.
    """
    one = data.isel({axis: at for axis, at in (("learning_rate", 0), ("strength", -1)) if axis in data.dims})
    own = {name: one[f"{method}_{name}"] for name in ("train", "recovery", "sigma", "ratio", "memorization", "generalization")}
    known = own | {"predicted": theory["generalization"], "rests": theory["rests"]}
    return one[["steps", "slow"]].assign(known).where(good, drop=True)


def shown(theory, reach: int | float):
    """The readable trials, or all where there are none: something must be drawn."""
    good = readable(theory, reach)
    return good if good.any() else theory["recovery_error"] >= 0


def at_truth(seen, rank: int, level: int | float) -> list[Reading]:
    """What all methods share: at the end the error is below the level, and the nuclear norm is that of the ground truth."""
    last = seen.isel(t=-1)
    return [
        at_most(
            "final recovery error, maximum",
            last.recovery.max(skipna=False),
            level,
            key="final_error",
            why="the level that counts as recovered; the penalty's bias is a few strengths",
        ),
        at_most(
            "final nuclear norm over that of the ground truth, minus one, maximum",
            abs(last.sigma.sum("k") / rank - 1).max(skipna=False),
            0.05,
            key="final_norm",
            why="its singular values are one; the penalty lowers them by a few strengths, and each oscillates by a step",
        ),
    ]


def right_rank(seen, step, rank: int) -> Reading:
    """As many singular values as the ground truth has."""
    return at_most(
        "number of final singular values above ten steps, minus the rank of the ground truth, maximum",
        abs((seen.sigma.isel(t=-1) > ALIVE * step).sum("k") - rank).max(skipna=False),
        0,
        key="rank",
        why="the others have the size of a step, a hundredth of those of the ground truth",
    )


def error_panel(seen, *, found: int | float, fit: bool = True) -> Panel:
    """Errors of one trial against steps."""
    train = [curve("training", seen.steps, seen.train, role="second")] if fit else []
    events = [Event("slow flow", found)] if np.isfinite(found) else []
    marks = [*train, curve("recovery", seen.steps, seen.recovery), *events]
    return Panel(marks, STEPS, log_axis(ERROR.label, low=1e-5), title="Errors")


def ratio_panel(seen) -> Panel:
    """The norm of the penalty gradient over that of the loss gradient."""
    marks = [curve("ratio", seen.steps, seen.ratio), Rule("one", 1.0)]
    return Panel(marks, STEPS, log_axis("penalty gradient over loss gradient"), title="Gradients", legend=False)


def norm_panel(seen, rank: int) -> Panel:
    """The nuclear norm of one trial against steps."""
    marks = [curve("descent", seen.steps, seen.sigma.sum("k")), Rule("ground truth", float(rank))]
    return Panel(marks, STEPS, Axis(r"nuclear norm $\|A\|_*$", low=0.0), title="Norm")


def sigma_panel(seen, rank: int) -> Panel:
    """All singular values of one trial against steps: as many as the rank of the ground truth, and the others."""
    values = np.maximum(seen.sigma.transpose("k", "t").values, 1e-16)
    marks = [curve(rf"$\sigma_{{{k + 1}}}$", seen.steps, sigma, role=SERIES[k >= rank]) for k, sigma in enumerate(values)]
    title = f"Singular values (blue: the {rank} largest)"
    return Panel(marks, STEPS, log_axis("singular values", low=1e-5), title=title, legend=False)


def panels(seen, rank: int, *, found: int | float) -> list[Panel]:
    """All four panels of one trial."""
    return [error_panel(seen, found=found), ratio_panel(seen), norm_panel(seen, rank), sigma_panel(seen, rank)]
