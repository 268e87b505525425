r"""Theorem 2, l2 side: a polynomially large scale suffices for $\|\beta_\alpha\|_2^2 \le (1+\varepsilon)\min\|\beta\|_2^2$."""

import numpy as np

from ...lab.settings.entropy_path import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Points, Slope

# Beyond 1 the sparse answer itself may be within 1 + eps of least l2, and every scale suffices.
EPS = (1e-6, 1e-4, 1e-2, 1.0)


def granted(eps, least):
    r"""The theorem's $\alpha$, from $\|\beta_{\ell_2}\|_2$."""
    return np.sqrt(2 * (1 + eps) * (1 + 2 / eps) * least)


def suffices(data, eps):
    r"""The smallest $\alpha$ of the sweep down to which $\|\beta_\alpha\|_2^2 \le (1+\varepsilon)\|\beta_{\ell_2}\|_2^2$."""
    fine = data.apart_l2 <= eps * data.norm_l2**2
    return data.alpha.where((~fine).cumsum("m") == 0).min("m")


def judge(data, promise, power) -> Evidence:
    """The theorem without tolerance, and the law that shows how far it is from what is needed."""
    size = data.norm_l2
    inside = [data.alpha >= granted(eps, size) for eps in EPS]
    used = [(data.apart_l2 / (eps * size**2)).where(one) for eps, one in zip(EPS, inside, strict=True)]
    slack = [np.log10(one.max("m")) for one in used]
    law = data.apart_l2 * data.alpha**power / data.bend
    far = (data.alpha > 5 * size**0.5) & (data.apart_l2 > 1e-20 * size**2)
    share = [suffices(data, eps) / granted(eps, size) for eps in EPS]
    return Evidence(
        sound=[
            at_least(
                "fewest scales at which theorem and law are read",
                min(float(one.sum("m").min()) for one in (*inside, far)),
                1,
                why="an empty range says nothing",
            )
        ],
        holds=[
            at_most(
                "largest excess over eps |beta|^2",
                max(float(one.max()) for one in used),
                1,
                why="the theorem, no tolerance",
            ),
            at_most(
                "scale that suffices over the theorem's",
                max(float(one.max()) for one in share),
                promise,
                why="the theorem: its scale suffices",
            ),
            near(
                "excess times alpha^8 over its law, the farthest",
                1 + abs(law - 1).where(far).max(),
                1,
                0.02,
                why="beta leaves least l2 by P beta^3/(24 alpha^4); the next order is smaller by |beta|^2/alpha^4 <= "
                "1/625 times a small number, and rounding of beta by 1e-16 at a distance above 1e-10",
            ),
            at_least(
                "tightness: log10 of the largest excess over eps |beta|^2 at the theorem's own scale",
                max(float(one.median()) for one in slack),
                -14,
                why="by the law eps^3 (eps + 2)^-4 (1 + eps)^-4/9216 times |P beta^3|^2/|beta|^6, which is about "
                "10/d^2: 1e-7 at eps = 1 times 1e-5 at d = 1,000",
            ),
            near(
                "trend: power of eps of the scale that suffices over the theorem's",
                (np.log(share[1] / share[0]) / np.log(EPS[1] / EPS[0])).median(),
                3 / 8,
                0.08,
                why="the theorem's scale grows like eps^(-1/2), the law's like eps^(-1/8), so the slack widens as eps falls; a "
                "step of the sweep, at most log(1.3), over log(100) is 0.06",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The excess with its law, and the scale that suffices beside the theorem's."""
    one = data.isel(trial=0)
    needed, given = (
        [float(f(eps).median()) for eps in EPS]
        for f in (lambda e: suffices(data, e), lambda e: granted(e, data.norm_l2))
    )
    top = float(one.alpha.max())
    shown = one.apart_l2.where(one.apart_l2 > 1e-24 * one.norm_l2**2)
    return Drawing(
        panels=[
            Panel(
                [
                    Points("excess squared l2 norm", one.alpha.values, shown.values),
                    Slope("|P beta^3|^2/(576 alpha^8)", [0.5, top], (top, float(one.bend / top**8)), -8),
                ],
                x=Axis("alpha", scale="log", low=1e-4),
                y=Axis("|beta|_2^2 - least", scale="log", low=1e-24, high=10),
                title="One draw",
            ),
            Panel(
                [Points("scale that suffices", EPS, needed), Line("theorem's scale", EPS, given, role="theory")],
                x=Axis("eps", scale="log"),
                y=Axis("alpha", scale="log"),
                title="Granted and needed, medians",
            ),
        ],
        caption="Left: the excess squared l2 norm falls like alpha^-8, with no free constant. Right: the scale from "
        "which on up the squared norm is within 1 + eps of the least, and the theorem's.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Polynomially large scales suffice for least l2",
    says="If alpha^2 >= 2(1 + eps)(1 + 2/eps)|beta_l2|_2, then |beta_alpha|_2^2 <= (1 + eps)|beta_l2|_2^2. In truth "
    "the excess is |P beta_l2^3|^2/(576 alpha^8) to leading order, P onto the kernel of X: many decades below.",
    source="woodworth2020, theorem 2",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"promise": 1.0, "power": 8},
    sizes={
        "quick": {"least": 1e-3, "most": 1e4, "points": 90},
        "paper": {"least": 1e-4, "most": 1e4, "points": 200},
        "smoke": {"most": 1e4},
    },
    control=Control(
        "a hundredth of the theorem's scale, and an excess that falls like alpha^-4",
        changes={"promise": 0.01, "power": 4},
        breaks=("scale that suffices over the theorem's", "excess times alpha^8 over its law, the farthest"),
    ),
    seconds={"quick": 3, "paper": 20},
)
