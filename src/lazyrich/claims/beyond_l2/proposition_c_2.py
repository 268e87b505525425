r"""Proposition C.2: $\mu\ge W$ and $\mu_1(s)\ge sW$ for $s\le\sqrt{n-1}$, with Welch's $W = \sqrt{\frac{n-m}{m(n-1)}}$."""

import numpy as np

from ...lab.settings.unit_frames import SIMULATION
from ..axes import places
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Event, Line, Panel, Points


def welch(columns, rows, less=1):
    r"""$\sqrt{(n-m)/(m(n-1))}$."""
    return ((columns - rows) / (rows * (columns - less))) ** 0.5


def over_welch(found, columns, rows, less):
    r"""$\mu_1(s)/(sW)$."""
    return found / ((places(found, "s") + 1) * welch(columns, rows, less))


def judge(data, rows, over, less, reach) -> Evidence:
    """The bounds on all kinds of matrices, and on two of them equality."""
    kinds = {"random": over * rows, "simplex": rows + 1, "twice": 2 * rows}
    ratios = {kind: over_welch(data[kind], columns, rows, less) for kind, columns in kinds.items()}
    allowed = {kind: places(data[kind], "s") + 1 <= reach * (kinds[kind] - 1) ** 0.5 + 1e-9 for kind in kinds}
    short = {kind: (1 - ratio).where(allowed[kind]) for kind, ratio in ratios.items()}
    whole = abs((2 * rows - 1) ** 0.5 - np.round((2 * rows - 1) ** 0.5)) < 1e-9
    met = ratios["twice"].where(allowed["twice"]).min("s").where(whole)
    return Evidence(
        sound=[
            at_least(
                "sizes of matrices at which a basis twice meets the bound",
                whole.sum(),
                1,
                why="equality of the second half needs a whole root of n - 1",
            )
        ],
        holds=[
            at_most(
                "coherence below Welch's bound, as a share of it, the most",
                max(float(part.isel(s=0).max()) for part in short.values()),
                1e-12,
                why="the Gram matrix has rank m and trace n, so that its squares sum to at least n^2/m; rounding",
            ),
            at_most(
                "coherence of a simplex over Welch's bound, less one, the farthest",
                abs(ratios["simplex"].isel(s=0) - 1).max(),
                1e-12,
                why="m + 1 columns at one angle: 1/m each",
            ),
            at_most(
                "1-coherence below s times Welch's bound, as a share of it, the most",
                max(float(part.max()) for part in short.values()),
                1e-12,
                why="squares of n - 1 numbers that sum to W^2 (n - 1) or more; beyond the root of n - 1 all may lie on fewer",
            ),
            at_most(
                "1-coherence of a basis twice over the bound at s = sqrt(n - 1), less one, the farthest",
                abs(met - 1).max(),
                1e-12,
                why="it is 1 at every s, and W is 1/sqrt(n - 1): beyond that s the bound is false",
            ),
        ],
    )


def draw(data, rows, over) -> Drawing:
    """Coherences against Welch's bound, and the 1-coherence of a basis twice along s."""
    random = data.random.isel(s=0)
    x = (0 * random + welch(over * rows, rows)).transpose("rows", "trial", "r").values.ravel()
    ends = [0.0, float(max(x.max(), welch(rows + 1, rows).max()))]
    m = int(rows.values[-1])
    sizes = np.arange(1, data.sizes["s"] + 1)
    one = data.sel(rows=m).isel(trial=0)
    return Drawing(
        [
            Panel(
                [
                    Points("random", x, random.transpose("rows", "trial", "r").values.ravel()),
                    Points(
                        "simplex", welch(rows + 1, rows).values, data.simplex.isel(s=0, trial=0).values, role="second"
                    ),
                    Line("equal", ends, ends, role="theory"),
                ],
                x=Axis("Welch's bound", low=0),
                y=Axis("coherence", low=0),
                title="The coherence",
            ),
            Panel(
                [
                    Line("random, the least", sizes, one.random.min("r").values),
                    Line("a basis twice", sizes, one.twice.values, role="second"),
                    Line("s W", sizes, sizes * float(welch(2 * m, m)), role="theory"),
                    Event("sqrt(n - 1)", (2 * m - 1) ** 0.5, role="control"),
                ],
                x=Axis("s"),
                y=Axis("1-coherence", low=0),
                title=f"The 1-coherence, {m} rows",
            ),
        ],
        caption="Left: no matrix of unit columns is less coherent than Welch's bound, a simplex is just that. Right: s times the "
        "bound is one for the 1-coherence, until the root of n - 1: there a basis taken twice meets it, and falls below.",
    )


CLAIM = Claim(
    kind="proposition",
    title="Unit columns are at least so coherent",
    says="Among n unit columns of length m some two have a product of at least W = sqrt((n - m)/(m (n - 1))), and some column "
    "with s others products that sum to at least s W, for s <= sqrt(n - 1). A simplex meets the first, a basis twice the second.",
    source="beyond_l2, proposition C.2",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"less": 1, "reach": 1},
    control=Control(
        "n - 2 in place of n - 1, and s up to twice the root of n - 1",
        changes={"less": 2, "reach": 2},
        breaks=(
            "coherence below Welch's bound, as a share of it, the most",
            "coherence of a simplex over Welch's bound, less one, the farthest",
            "1-coherence below s times Welch's bound, as a share of it, the most",
            "1-coherence of a basis twice over the bound at s = sqrt(n - 1), less one, the farthest",
        ),
    ),
    seconds={"quick": 2, "paper": 90},
)
