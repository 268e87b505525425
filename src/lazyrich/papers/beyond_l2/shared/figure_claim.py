"""The claim of one figure of the paper."""

from typing import Any

from ....claims.base import Claim


def figure(number: int, title: str, says: str, judge, draw, *, note: str = "", **more: Any) -> Claim:
    """The claim of a figure; `note` stands behind its number in the source."""
    known = {"kind": "figure", "source": f"beyond_l2, figure {number}{note}"}
    return Claim(id=f"beyond_l2/figure_{number}", title=title, says=says, judge=judge, draw=draw, **known, **more)
