"""Where theory puts a transition, over the parameters of a claim: lines that are drawn on the map of a sweep.

Each is a formula of the parameters that is 1 on the line. They stand here and not in the claims, whose numbers do not depend on
them: a new line makes no record stale.
"""

from collections.abc import Mapping

_LIFTED = {"alpha^2 k = 1": "=alpha**2*width"}
_VANISHING = {"h^(1 - 2a) = 1": "=width**(1-2*exponent)"}

EDGES: Mapping[str, Mapping[str, str]] = {
    "lyu2024/figure_1a": {"log(alpha)/decay is the time shown": "=log(alpha)/(decay*horizon)"},
    "min2021/figure_7": _VANISHING,
    "min2021/width_law": _VANISHING,
    "woodworth2020/figure_5_left": _LIFTED,
    "woodworth2020/figure_5_right": _LIFTED,
}
