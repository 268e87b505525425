"""What the lemmas on random layers share: the rounding of their numbers, and how a bound spreads over the draws."""

from ..drawing import SERIES, Axis, Line, Panel

ROUNDING = 1e-12
"""Of eigenvalues of matrices with up to 9 rows, in units of the sum of all squares."""


def quantiles(data, share, title) -> Panel:
    """A bound over what it bounds, in increasing order of draws, for three sizes of the layers."""
    part = data[share].isel(trial=0, width=-1)
    sizes = [(0, 0), (-1, 0), (-1, -1)]
    marks = []
    for role, (rows, outputs) in zip(SERIES, sizes, strict=True):
        at = part.isel(rows=rows, outputs=outputs)
        name = f"{int(at.rows)} x {int(at.outputs)}, width {int(at.width)}"
        if name not in [mark.name for mark in marks]:
            marks.append(Line(name, data.share.values.reshape(-1, part.sizes["q"])[0], at.values, role=role))
    return Panel(marks, x=Axis("share of the draws"), y=Axis("bound over value", low=0, high=1.05), title=title)
