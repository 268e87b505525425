"""Figure 25: from a large start with decay alone the error falls late and abruptly, and the truth is not found."""

import numpy as np

from ...lab.settings.l2_alone import BOTH
from ..base import Claim, Control, Evidence, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel
from .without_understanding import fall, stable


def judge(data, level) -> Evidence:
    """A late fall to the ridge answer without the l1 penalty; recovery with it."""
    return Evidence(
        sound=[stable(data)],
        holds=[
            *fall(data),
            at_most(
                "recovery error with the l1 penalty at the end over the level, the lower quartile of draws",
                data.sparse_recovery.isel(t=-1).quantile(0.25) / level,
                1,
                why="the penalty's bias is some times its strength, 1e-2 here; of so few measurements some draws have a least l1 "
                "norm that is not the truth's",
            ),
        ],
    )


def draw(data, decay, strength) -> Drawing:
    """Errors on a plain and on a logarithmic scale, and both norms, of one draw."""
    one = data.isel(trial=0, t=slice(1, None))
    x = Axis("steps", scale="log")
    names = {"": "decay alone", "sparse_": f"with an l1 penalty of {strength:g}"}

    def lines(curve):
        return [
            Line(name, one.steps.values, one[f"{key}{curve}"].values, role=role)
            for role, (key, name) in zip(SERIES, names.items(), strict=False)
        ]

    train = Line("fit, decay alone", one.steps.values, one.train.values, role="control")
    log_train = Line("fit, decay alone", one.steps.values, np.maximum(one.train.values, 1e-6), role="control")
    return Drawing(
        [
            Panel([*lines("recovery"), train], x=x, y=Axis("relative error"), title="Looks like grokking"),
            Panel([*lines("recovery"), log_train], x=x, y=Axis("relative error", scale="log"), title="And is not"),
            Panel(lines("l2"), x=x, y=Axis("l2 norm", scale="log"), title="Size"),
            Panel(lines("l1"), x=x, y=Axis("l1 norm", scale="log"), title="l1 norm"),
        ],
        caption=f"One draw from a large start, decay {decay:g}. On a plain scale the error seems to vanish long after the fit; "
        "on a logarithmic one it ends at the least-squares answer. An l1 penalty goes on to the truth.",
    )


CLAIM = Claim(
    kind="figure",
    title="Grokking without understanding",
    says="From a large start with weight decay alone the error of recovery falls abruptly, long after the data are fitted, and "
    "ends at the ridge answer, far from the truth; with a small l1 penalty the truth is found.",
    source="beyond_l2, figure 25",
    simulation=BOTH,
    judge=judge,
    draw=draw,
    control=Control(
        "a start that is small",
        changes={"start": 1e-6},
        breaks=("recovery error when the data are fitted over that at the end, the least",),
    ),
    seconds={"quick": 15, "paper": 60},
)
