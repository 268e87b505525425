r"""Erratum: the lower bound (17) on the loss has $n/F^{-1}$ where its proof gives $1/(nF^{-1})$."""

import numpy as np

from ...lab.settings.kernel_phase import SIMULATION
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Axis, Drawing, Line, Panel, Role, Rule
from .kernel_phase import Phase, ended, refer
from .lemma_c_7 import log_bound

FORMS: tuple[tuple[str, Role], ...] = (("corrected", "measured"), ("printed", "control"))


def over(phase, told, *, log_alpha, depth, power, n, form):
    """The loss over its bound, while the phase lasts."""
    decay, printed = np.exp(-power * log_alpha), form == "printed"
    bound = log_bound(phase, told["reach"], depth=depth, n=n, decay=decay, printed=printed)
    return np.exp(phase.log_loss - bound).where(phase.inside)


def judge(data, told, log_alpha, depth, power, n, form) -> Evidence:
    """The least loss over the bound, over all moments of the phase, and in each draw by itself."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    least = over(phase, told, log_alpha=log_alpha, depth=depth, power=power, n=n, form=form).min("t")
    return Evidence(
        sound=[ended(phase)],
        holds=[
            at_least("least loss over the bound", least.min(), 1, why="proven, every constant written out"),
            at_least(
                "share of runs that keep the bound",
                (least >= 1).mean(),
                1,
                why="it is said of all of them",
            ),
        ],
    )


def draw(data, told, log_alpha, depth, power, n) -> Drawing:
    """The loss over the two bounds along the phase."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    panels = []
    for layers in depth.values:
        one = {"depth": layers, "log_alpha": log_alpha.values[-1], "power": power.values[0]}
        slow = data.slow.sel(**one).isel(trial=0).values
        x = slow[slow >= 0.1] / float(log_alpha.values[-1])
        lines = []
        for form, role in FORMS:
            ratio = over(phase, told, log_alpha=log_alpha, depth=depth, power=power, n=n, form=form)
            lines.append(Line(form, x, ratio.sel(**one).median("trial").values[slow >= 0.1], role=role))
        panels.append(
            Panel(
                [*lines, Rule("allowed from here up", 1.0)],
                x=Axis("decay x time / log(alpha)"),
                y=Axis("loss over bound", scale="log"),
                title=f"depth {int(layers)}",
            )
        )
    return Drawing(
        panels,
        caption="The training loss over the lower bound (17) along the kernel phase, the median over draws of "
        f"{int(n)} samples: as printed the bound is n^2 times as high, and the loss falls below it.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The lower bound on the loss is n^2 times lower",
    says="In the kernel phase L >= min{1/(n F^-1(B)), e^(1-4(D-1)/D)/n} with B = 2 G^2 A e^(-2(D-1) decay t)/(nD); printed are "
    "n/F^-1(B) and e^(1-2(D-1) decay)/n, and the loss falls below that.",
    source="lyu2024, equation 17",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"form": "corrected"},
    control=Control(
        "the bound as printed",
        changes={"form": "printed"},
        breaks=("least loss over the bound", "share of runs that keep the bound"),
    ),
    seconds={"quick": 20, "paper": 90},
)
