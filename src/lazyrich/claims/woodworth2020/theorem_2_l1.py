r"""Theorem 2, l1 side: an exponentially small scale suffices for $\|\beta_\alpha\|_1 \le (1+\varepsilon)\|\beta_{\ell_1}\|_1$."""

import numpy as np

from ...lab.settings.entropy_path import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points

# Beyond, the dense answer itself may be within 1 + eps of least l1, and every scale suffices.
EPS = (0.15, 0.3, 0.5)


def granted(eps, d, least):
    r"""$\log\alpha$ of the theorem, from $b = \|\beta_{\ell_1}\|_1$."""
    return np.minimum(-(2 + eps) / (2 * eps) * np.log(2 * (1 + eps) * least), -d / (eps * least))


def bound(data, d):
    r"""The direct inequality's $(b\log(b+\alpha^2)+d)/\log(1/\alpha^2)$, where $\alpha < \min(1, \sqrt b)$."""
    b, inside = data.norm_l1, data.alpha**2 < np.minimum(1.0, data.norm_l1)
    alpha = data.alpha.where(inside)
    return (b * np.log(b + alpha**2) + d) / (-2 * np.log(alpha))


def suffices(data, eps):
    r"""The largest $\log\alpha$ of the sweep from which on down $\|\beta_\alpha\|_1 \le (1+\varepsilon)b$."""
    bad = data.excess_l1 > eps * data.norm_l1
    return np.log(data.alpha.where((bad[..., ::-1].cumsum("m") == 0)[..., ::-1])).max("m")


def judge(data, d, promise) -> Evidence:
    """The theorem and the direct inequality without tolerance, and how far each is from what is needed."""
    b, logs = data.norm_l1, np.log(data.alpha)
    inside = [logs <= granted(eps, d, b) for eps in EPS]
    used = [(data.excess_l1 / (eps * b)).where(one).max() for eps, one in zip(EPS, inside, strict=True)]
    share = [suffices(data, eps) / granted(eps, d, b) for eps in EPS]
    direct = data.excess_l1 / bound(data, d)
    return Evidence(
        sound=[
            at_least(
                "fewest scales within the theorem's range",
                min(float(one.sum("m").min()) for one in inside),
                1,
                why="an empty range says nothing",
            )
        ],
        holds=[
            at_most(
                "largest excess over eps b within the range", max(map(float, used)), 1, why="the theorem, no tolerance"
            ),
            at_most(
                "log of the scale that suffices over log of the theorem's",
                max(float(one.max()) for one in share),
                promise,
                why="the theorem: its scale suffices",
            ),
            at_most("largest excess over the direct bound", direct.max(), promise, why="the inequality, no tolerance"),
            at_least(
                "tightness: largest excess over the direct bound, times d/b",
                (direct.max("m") * d / b).median(),
                0.25,
                why="the bound has d where the entropy of spreading b has at most b log d: at alpha below 1 the excess "
                "is a part of b, so that b/d of the bound is used up to a factor",
            ),
            at_most(
                "trend: that share at the smallest scale over its largest",
                (direct.isel(m=-1) / direct.max("m")).median(),
                0.1,
                why="the bound falls like 1/log(1/alpha) and the excess like a power of alpha: the bound loosens without end",
            ),
        ],
    )


def draw(data, d) -> Drawing:
    """The excess with the direct bound, and the scale that suffices beside the theorem's."""
    one = data.isel(trial=0)
    b = data.norm_l1
    needed, given = (
        [float(part(eps).median()) for eps in EPS] for part in (lambda e: suffices(data, e), lambda e: granted(e, d, b))
    )
    return Drawing(
        panels=[
            Panel(
                [
                    Line("excess l1 norm", one.alpha.values, one.excess_l1.values),
                    Line("direct bound", one.alpha.values, bound(one, d).values, role="theory"),
                ],
                x=Axis("alpha", scale="log"),
                y=Axis("|beta|_1 - least", scale="log", low=1e-12, high=1e3),
                title="One draw",
            ),
            Panel(
                [
                    Points("scale that suffices", EPS, -np.array(needed)),
                    Line("theorem's scale", EPS, -np.array(given), role="theory"),
                ],
                x=Axis("eps", scale="log"),
                y=Axis("log(1/alpha)", scale="log"),
                title="Needed and granted, medians",
            ),
        ],
        caption="Left: the excess l1 norm is far below the bound that implies the theorem. Right: the scale from which "
        "on the norm is within 1 + eps of the least, and the exponentially small one that the theorem asks for.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Exponentially small scales suffice for least l1",
    says="With b = |beta_l1|_1 and alpha <= min((2(1 + eps)b)^(-(2 + eps)/(2 eps)), exp(-d/(eps b))), |beta_alpha|_1 "
    "<= (1 + eps) b. More "
    "is true: |beta_alpha|_1 - b <= (b log(b + alpha^2) + d)/log(1/alpha^2) for all alpha < min(1, sqrt b).",
    source="woodworth2020, theorem 2",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"promise": 1.0},
    sizes={
        "quick": {"n": 15, "d": 40, "least": 1e-110, "points": 160},
        "paper": {"n": 30, "d": 100, "least": 1e-250, "points": 200},
        "smoke": {"least": 1e-100},
    },
    control=Control(
        "a fiftieth of the bound, and of the theorem's log(alpha)",
        changes={"promise": 0.02},
        breaks=("log of the scale that suffices over log of the theorem's", "largest excess over the direct bound"),
    ),
    seconds={"quick": 3, "paper": 60},
)
