r"""Figure 1a: population error against the scale, from that of least l1 to that of least l2."""

import numpy as np

from ...lab.settings.entropy_path import CHECKED
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Band, Drawing, Line, Panel, Points, Rule


def judge(data, n, d, noise, trials, beside) -> Evidence:
    """Both plateaus, and the flow's end beside theory's answer."""
    gap = data.error_l2 - data.error_l1
    rich = (abs(data.error - data.error_l1) / gap).where(data.alpha <= 1e-3)
    kernel = data.error.where(data.alpha >= 1)
    share, spread = 1 - n / d, np.sqrt(2 * n / d * (1 - n / d) / (d * trials))
    return Evidence(
        holds=[
            at_most(
                "flow's end from least entropy",
                data[f"from_{beside}"].max(),
                1e-4,
                why="the truth has norm 1; flows end with residuals of 1e-6, a hundred times that for the condition of "
                "the dual",
            ),
            at_most(
                "error at alpha <= 1e-3 from that of least l1, in units of the rise, median",
                rich.max("m").median(),
                0.1,
                why="depth 2 nears its limit slowly; less than a tenth of the way up is the low plateau",
            ),
            near(
                "error at alpha >= 1, the mean",
                kernel.mean("m").mean(),
                share + noise**2 * n / max(d - n, 1),
                4 * spread + 0.02,
                why="least l2 keeps the share n/d of the truth, a beta variable: four deviations of the mean over draws, and "
                "0.02 for alpha = 1 itself, which is not yet the limit",
            ),
            at_least(
                "error of least l2 over that of least l1, median",
                (data.error_l2 / data.error_l1).median(),
                5,
                why="r log d samples recover the truth up to noise, while least l2 misses 1 - n/d of it",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The error against the scale with its spread, the flow on it, and the two limits."""
    alpha = data.alpha.isel(trial=0).values
    low, middle, high = (data.error.quantile(q, "trial").values for q in (0.1, 0.5, 0.9))
    flow = data.flow_error.median("trial")
    return Drawing(
        panels=[
            Panel(
                [
                    Band("eight of ten draws", alpha, low, high),
                    Line("least entropy", alpha, middle),
                    Points("gradient flow", data.flow_alpha.isel(trial=0).values, flow.values, role="second"),
                    Rule("least l1", float(data.error_l1.median())),
                    Rule("least l2", float(data.error_l2.median())),
                ],
                x=Axis("alpha", scale="log"),
                y=Axis("population error, less the noise", low=0),
            )
        ],
        columns=1,
        caption="Sparse regression from a start of every weight at alpha: small scales reach the error of least l1, "
        "large ones that of least l2. The curve is found without training; the flow lies on it.",
    )


CLAIM = Claim(
    kind="figure",
    title="The scale of the start decides the error",
    says="On sparse regression the population error of the flow's end rises in alpha from that of least l1 (alpha <= "
    "1e-3) to that of least l2, about 1 - n/d (alpha >= 1).",
    source="woodworth2020, figure 1a",
    simulation=CHECKED,
    judge=judge,
    draw=draw,
    constants={"beside": "same"},
    control=Control(
        "theory's answer at a third of the scale",
        changes={"beside": "third"},
        breaks=("flow's end from least entropy",),
    ),
    aliases=("figure_1",),
    seconds={"quick": 12, "paper": 60},
)
