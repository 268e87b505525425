"""Figure 27: the more measurements read single entries, the later descent with an l1 penalty finds the truth, if at all."""

from ...lab.settings.few_rows import COHERENT
from ..base import Claim, Control, Evidence, at_least
from ..drawing import SERIES, Axis, Drawing, Event, Line, Panel
from .coherent import agreement, growth, slow_times


def refer(problem, n, coherence, level):
    """The slow flow of the same measurements."""
    return slow_times(problem, n, coherence, level)


def judge(data, told, rate, strength, reach) -> Evidence:
    """Descent beside the slow flow, and how the time grows with the coherence."""
    return Evidence(
        holds=[
            *agreement(data, told, rate, strength, reach),
            at_least(
                "time at the largest coherence over that at the least, the median draw, the least over numbers of rows",
                growth(told, reach).min(),
                1.3,
                why="the paper: coherence delays generalization; here 0.6 of the rows say nothing of entries that they do not "
                "read, and the others must do with 0.4 of the rows",
            ),
        ]
    )


def draw(data, told, n, coherence, rate, strength) -> Drawing:
    """Errors of one draw over time, a panel for each number of measurements."""
    chosen = coherence.values[:: max(1, coherence.size // 3)][:3]
    panels = []
    for count in n.values[:: max(1, n.size // 3)][:3]:
        marks = []
        for role, share in zip(SERIES, chosen, strict=False):
            one = data.sel(n=count, coherence=share).isel(trial=0, t=slice(1, None))
            slow = rate * strength * one.steps.values
            marks.append(Line(f"recovery, coherence {float(share):g}", slow, one.recovery.values, role=role))
            marks.append(Line(f"fit, coherence {float(share):g}", slow, one.train.values, role=role))
            when = float(told["finds"].sel(n=count, coherence=share).isel(trial=0))
            if when < slow[-1]:
                marks.append(Event("", when, role=role))
        panels.append(
            Panel(
                marks,
                x=Axis("rate x strength x steps", scale="log"),
                y=Axis("relative error", scale="log"),
                title=f"{int(count)} measurements",
                legend=not panels,
            )
        )
    return Drawing(
        panels,
        columns=3,
        caption="One draw. Curves that fall first are errors of fit, the others of recovery; upright lines are the times that "
        "the slow flow tells. The more rows read single entries, the later the truth is found.",
    )


CLAIM = Claim(
    kind="figure",
    title="Coherent measurements delay recovery",
    says="The larger the share of measurements that read one entry each, the later descent with a small l1 penalty finds the "
    "truth after it has fitted the data, for every number of measurements.",
    source="beyond_l2, figure 27",
    simulation=COHERENT,
    refer=refer,
    judge=judge,
    draw=draw,
    least={"coherence": 2},
    control=Control(
        "one plain row at most",
        changes={"coherence": (0.0, 0.01, 0.03)},
        breaks=(
            "time at the largest coherence over that at the least, the median draw, the least over numbers of rows",
        ),
    ),
    seconds={"quick": 20, "paper": 200},
)
