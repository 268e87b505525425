r"""Figure 7: rows that read one entry each raise the number of measurements that the least l1 norm needs, up to all."""

import numpy as np

from ...lab.settings.few_rows import BASELINE
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Heat, Line, Panel, Points
from .baseline import law, needed
from .baseline import refer as least_l1


def refer(problem, n, coherence):
    """The interpolant of least l1 norm."""
    return least_l1(problem, n, coherence)


def judge(data, told, d, sparsity, coherence, felt) -> Evidence:
    """Where half of the draws are found, beside the law; that it rises with both; and what a plain row alone tells."""
    half = needed(told["error"]).clip(max=d)
    theory = law(d, sparsity, felt * coherence.values).assign_coords(coherence=coherence.values)
    return Evidence(
        sound=[
            at_least(
                "certified references",
                told["certified"].mean(),
                1,
                why="least norms are compared, so they must be known",
            )
        ],
        holds=[
            at_most(
                "measurements that half of the draws need less the law's, over the unknowns, the mean size",
                abs(half - theory).mean() / d,
                0.1,
                why="a tenth is the width of the transition at coherence zero; at 0.9 a Gaussian row more or less is ten "
                "measurements",
            ),
            at_least(
                "measurements needed at one coherence less those at the one before, mean over sparsities, the least",
                half.sortby("coherence").mean("sparsity").diff("coherence").min(),
                1,
                why="the paper: more coherence needs more measurements; the law has ten here",
            ),
        ],
    )


def draw(data, told, d, sparsity, coherence) -> Drawing:
    """The median error over measurements and sparsity, over measurements and coherence, and the law."""
    error = np.log10(np.maximum(told["error"].median("trial"), 1e-16))
    half = needed(told["error"])
    middle = sparsity.values[sparsity.size // 2]
    x = Axis("measurements")
    fine = np.linspace(0, 1, 21)
    theory = law(d, sparsity, fine)
    lines = [
        part
        for role, s in zip(SERIES, sparsity.values[:: max(1, sparsity.size // 3)], strict=False)
        for part in (
            Points(f"{int(s)} entries", coherence.values, half.sel(sparsity=s).values, role=role),
            Line(f"law, {int(s)} entries", fine, theory.sel(sparsity=s).values, role=role),
        )
    ]
    return Drawing(
        [
            Panel(
                [
                    Heat(
                        "log10 of the error",
                        data.n.values,
                        sparsity.values,
                        error.isel(coherence=0).transpose("sparsity", "n").values,
                        low=-16.0,
                        high=0.0,
                    )
                ],
                x=x,
                y=Axis("entries of the truth"),
                title="No plain rows",
            ),
            Panel(
                [
                    Heat(
                        "log10 of the error",
                        data.n.values,
                        coherence.values,
                        error.sel(sparsity=middle).transpose("coherence", "n").values,
                        low=-16.0,
                        high=0.0,
                    )
                ],
                x=x,
                y=Axis("coherence"),
                title=f"{int(middle)} entries",
            ),
            Panel(lines, x=Axis("coherence"), y=Axis("measurements needed", low=0.0), title="Half of the draws"),
        ],
        columns=3,
        caption=f"The least l1 norm, {d} unknowns, medians over draws. Rows that read one entry each say nothing of the others: "
        "the Gaussian rows that are left must find what they do not read.",
    )


CLAIM = Claim(
    kind="figure",
    title="Coherent measurements: more of them are needed",
    says="If a share tau of N measurements reads one entry each, the least l1 norm finds the truth once the others outnumber "
    "the statistical dimension of what those do not read: the number needed grows with the sparsity s and with tau, up to "
    "2^(-1/s) n for half of the draws at tau = 1.",
    source="beyond_l2, figure 7",
    simulation=BASELINE,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"felt": 1.0},
    least={"n": 3, "sparsity": 2, "coherence": 2},
    control=Control(
        "a law without the coherence",
        changes={"felt": 0.0},
        breaks=("measurements that half of the draws need less the law's, over the unknowns, the mean size",),
    ),
    seconds={"quick": 20, "paper": 600},
)
