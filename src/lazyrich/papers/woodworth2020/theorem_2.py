r"""Theorem 2 and the gap in its proof: how small a scale suffices for minimum $\ell_1$, how large a one for minimum $\ell_2$."""

import numpy as np

from ...claims.axes import along
from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Line, Panel, Points, Rule, Slope
from ...claims.marks import log_axis
from ...lab import Param, Simulation
from .simulations.entropy_path import SIMULATION

# Beyond, the dense solution itself may be within 1 + eps of minimum l1, and every scale suffices.
EPS_1 = (0.15, 0.3, 0.5)
# Beyond 1 the sparse solution itself may be within 1 + eps of minimum l2, and every scale suffices.
EPS_2 = (1e-6, 1e-4, 1e-2, 1.0)
EPS = log_axis(r"$\varepsilon$")


def middle(values) -> np.ndarray:
    r"""The medians over trials, one for each $\varepsilon$."""
    return values.median([axis for axis in values.dims if axis != "eps"]).values


def compared(eps, needed, granted, y: Axis) -> Panel:
    """The scale that suffices next to the theorem's."""
    marks = [
        Points("scale that suffices", eps.values, middle(needed)),
        Line("the theorem's scale", eps.values, middle(granted), role="theory"),
    ]
    return Panel(marks, EPS, y, title="Needed and granted, medians")


def small_enough(eps, d, least):
    r"""$\log\alpha$ of the theorem, from $b = \|\beta_{\ell_1}\|_1$."""
    return np.minimum(-(2 + eps) / (2 * eps) * np.log(2 * (1 + eps) * least), -d / (eps * least))


def bound(data, d):
    r"""The direct inequality's $(b\log(b+\alpha^2)+d)/\log(1/\alpha^2)$, where $\alpha < \min(1, \sqrt b)$."""
    b, inside = data.norm_l1, data.alpha**2 < np.minimum(1.0, data.norm_l1)
    alpha = data.alpha.where(inside)
    return (b * np.log(b + alpha**2) + d) / (-2 * np.log(alpha))


def needed_l1(data, eps):
    r"""The largest $\log\alpha$ of the sweep from which on down $\|\beta_\alpha\|_1 \le (1+\varepsilon)b$."""
    down = data.isel(m=slice(None, None, -1))
    return np.log(down.alpha.where((down.excess_l1 > eps * down.norm_l1).cumsum("m") == 0)).max("m")


def judge_l1(data, d, promise) -> Evidence:
    """The theorem and the direct inequality without tolerance, and how far each is from what is needed."""
    b, eps = data.norm_l1, along(EPS_1, "eps", EPS_1)
    granted = small_enough(eps, d, b)
    inside = np.log(data.alpha) <= granted
    used = (data.excess_l1 / (eps * b)).where(inside).max()
    ratio = (needed_l1(data, eps) / granted).max()
    direct = data.excess_l1 / bound(data, d)
    why = "an empty range says nothing"
    return Evidence(
        sound=[at_least("scales in the theorem's range", inside.sum("m").min(), 1, key="scales", why=why)],
        holds=[
            at_most(r"largest excess over $\varepsilon b$ in the range", used, 1, key="theorem", why="the theorem"),
            at_most(r"$\log\alpha$ that suffices over the theorem's, largest", ratio, promise, key="scale", why="the theorem"),
            at_most("largest excess over the direct bound", direct.max(), promise, key="direct", why="no tolerance"),
            at_least(
                "tightness: largest excess over the direct bound, times $d/b$",
                (direct.max("m") * d / b).median(),
                0.25,
                key="tightness",
                why=r"spreading $b$ costs $b \log d$ at most, and the bound has $d$: $b/d$ of it is attained, up to a factor",
            ),
            at_most(
                "trend: excess over the direct bound at the smallest scale over its largest value",
                (direct.isel(m=-1) / direct.max("m")).median(),
                0.1,
                key="trend",
                why=r"the bound falls like $1/\log(1/\alpha)$, the excess like a power of $\alpha$: it becomes arbitrarily loose",
            ),
        ],
    )


def draw_l1(data, d) -> Drawing:
    """The excess with the direct bound, and the scale that suffices next to the theorem's."""
    one, eps = data.isel(trial=0), along(EPS_1, "eps", EPS_1)
    left = [
        Line(r"excess $\ell_1$ norm", one.alpha.values, one.excess_l1.values),
        Line("direct bound", one.alpha.values, bound(one, d).values, role="theory"),
    ]
    excess = log_axis(r"$\|\beta_\alpha\|_1 - \|\beta_{\ell_1}\|_1$", low=1e-12, high=1e3)
    return Drawing(
        panels=[
            Panel(left, log_axis(r"$\alpha$"), excess, title="One trial"),
            compared(eps, -needed_l1(data, eps), -small_enough(eps, d, data.norm_l1), log_axis(r"$\log(1/\alpha)$")),
        ],
        caption=r"Left: the excess $\ell_1$ norm is far below the bound that implies the theorem. Right: the scale below which "
        r"the norm is within $1 + \varepsilon$ of its minimum, and the exponentially small one that the theorem asks for.",
    )


def large_enough(eps, least):
    r"""The theorem's $\alpha$, from $\|\beta_{\ell_2}\|_2$."""
    return np.sqrt(2 * (1 + eps) * (1 + 2 / eps) * least)


def needed_l2(data, eps):
    r"""The smallest $\alpha$ of the sweep down to which $\|\beta_\alpha\|_2^2 \le (1+\varepsilon)\|\beta_{\ell_2}\|_2^2$."""
    fine = data.apart_l2 <= eps * data.norm_l2**2
    return data.alpha.where((~fine).cumsum("m") == 0).min("m")


def judge_l2(data, promise, power) -> Evidence:
    """The theorem without tolerance, and the law that shows how far it is from what is needed."""
    size, eps = data.norm_l2, along(EPS_2, "eps", EPS_2)
    granted = large_enough(eps, size)
    inside, far = data.alpha >= granted, (data.alpha > 5 * size**0.5) & (data.apart_l2 > 1e-20 * size**2)
    used = (data.apart_l2 / (eps * size**2)).where(inside)
    law = data.apart_l2 * data.alpha**power / data.bend
    ratio = needed_l2(data, eps) / granted
    steps = np.log(ratio).diff("eps") / np.log(eps).diff("eps")
    fewest = min(float(part.sum("m").min()) for part in (inside, far))
    return Evidence(
        sound=[at_least("scales at which theorem and law are read", fewest, 1, key="scales", why="an empty range says nothing")],
        holds=[
            at_most(r"largest excess over $\varepsilon \|\beta\|_2^2$", used.max(), 1, key="theorem", why="the theorem"),
            at_most(
                "scale that suffices over the theorem's scale, maximum", ratio.max(), promise, key="scale", why="the theorem"
            ),
            near(
                r"excess times $\alpha^8$ over its law, farthest from 1",
                1 + abs(law - 1).where(far).max(),
                1,
                0.02,
                key="law",
                why=r"$\beta - \beta_{\ell_2} = P \beta^3/(24 \alpha^4)$; the next order is at most 1/625 of it, rounding 1e-6",
            ),
            at_least(
                r"tightness: $\log_{10}$ of the largest excess over $\varepsilon \|\beta\|_2^2$ at the theorem's own scale",
                middle(np.log10(used.max("m"))).max(),
                -14,
                key="tightness",
                why=r"by the law $\varepsilon^3 (\varepsilon + 2)^{-4} (1 + \varepsilon)^{-4}/9216$ times $\|P "
                r"\beta^3\|^2/\|\beta\|^6 \sim 10/d^2$: 1e-7 at $\varepsilon = 1$ times 1e-5 at $d = 1000$",
            ),
            near(
                r"trend: power of $\varepsilon$ of the scale that suffices over the theorem's",
                steps.isel(eps=0).median(),
                3 / 8,
                0.08,
                key="trend",
                why=r"theorem $\varepsilon^{-1/2}$, law $\varepsilon^{-1/8}$; a step of the sweep is $\log 1.3/\log 100 = 0.06$",
            ),
        ],
    )


def draw_l2(data) -> Drawing:
    """The excess with its law, and the scale that suffices next to the theorem's."""
    one, eps = data.isel(trial=0), along(EPS_2, "eps", EPS_2)
    top = float(one.alpha.max())
    shown = one.apart_l2.where(one.apart_l2 > 1e-24 * one.norm_l2**2)
    left = [
        Points(r"excess squared $\ell_2$ norm", one.alpha.values, shown.values),
        Slope(r"$\|P \beta_{\ell_2}^3\|^2/(576 \alpha^8)$", [0.5, top], (top, float(one.bend / top**8)), -8),
    ]
    excess = log_axis(r"$\|\beta_\alpha\|_2^2 - \|\beta_{\ell_2}\|_2^2$", low=1e-24, high=10)
    return Drawing(
        panels=[
            Panel(left, log_axis(r"$\alpha$", low=1e-4), excess, title="One trial"),
            compared(eps, needed_l2(data, eps), large_enough(eps, data.norm_l2), log_axis(r"$\alpha$")),
        ],
        caption=r"Left: the excess squared $\ell_2$ norm falls like $\alpha^{-8}$, without a free constant. Right: the scale "
        r"above which the squared norm is within $1 + \varepsilon$ of its minimum, and the theorem's.",
    )


def shares(eps, d, length):
    r"""What each proof needs over what the theorem grants, at the theorem's own scales; at most 1 where the proof goes through.

    l1, printed: lemma 5 at $\varepsilon/(2+\varepsilon)$ for norms from $b$ to $(1+2\varepsilon)b$, in $\log\alpha$. l1, direct:
    $(b\log(b+\alpha^2)+d)/\log(1/\alpha^2)$ over $\varepsilon b$. l2, printed: lemma 7 at $\varepsilon/(2+\varepsilon)$ and
    $(1+2\varepsilon)\|\beta_{\ell_2}\|$, in $\alpha$. l2, direct: $(1+\varepsilon)^2\|\beta_{\ell_2}\|^2/48\alpha^4$ over
    $\varepsilon$, from $z^2/4 - z^4/192 \le q \le z^2/4$ and convexity.
    """
    part = eps / (2 + eps)
    granted = np.minimum(-np.log(2 * (1 + eps) * length) / (2 * part), -d / (eps * length))
    needed = [min(0.0, np.log(b) / 2, -np.log(2 * b) / (2 * part), -d / (2 * part * b)) for b in (length, (1 + 2 * eps) * length)]
    direct = (length * np.log(length + np.exp(2 * granted)) + d) / (-2 * granted)
    scale = np.sqrt(2 * (1 + eps) * (1 + 2 / eps) * length)
    return {
        "printed_l1": min(needed) / granted,
        "direct_l1": direct / (eps * length),
        "printed_l2": np.sqrt((1 + 2 * eps) * length) * (1 + part**-0.25) / scale,
        "direct_l2": (1 + eps) ** 2 * length**2 / (48 * scale**4) / eps,
        "applies": eps < d,
    }


ALL_EPS, LENGTHS = (0.01, 0.1, 0.3, 0.5, 0.7, 1.0, 3.0, 30.0), (0.01, 0.1, 0.5, 1.0, 3.0, 10.0, 100.0, 1e4)
SHARES = Simulation(
    shares,
    params=[
        Param("eps", ALL_EPS, smoke=(0.1, 1.0, 3.0), low=1e-4, high=1e4),
        Param("d", (3.0, 10.0, 100.0, 1e4), smoke=(10.0,), low=2, high=1e8, unit="dimension"),
        Param("length", LENGTHS, smoke=(1.0, 10.0), low=1e-4, high=1e6, unit="minimum norm"),
    ],
    returns=dict.fromkeys(("printed_l1", "direct_l1", "printed_l2", "direct_l2", "applies"), ""),
    random=False,
    host=True,
)


def judge_proof(data, form) -> Evidence:
    """The largest fraction of what is granted, on each side."""
    whys = {
        "l1": r"no tolerance: $2(1 + \varepsilon)b \geq b + \alpha^2$ and half of each bound on $\log(1/\alpha^2)$ suffice",
        "l2": r"no tolerance: $\varepsilon/(192 (2 + \varepsilon)^2)$ is at most 1/1536",
    }
    most = {side: data[f"{form}_{side}"].where(data.applies).max() for side in whys}
    name = r"$\ell_{}$ side: largest ratio of needed to granted"
    return Evidence(holds=[at_most(name.format(side[1]), most[side], 1, key=side, why=why) for side, why in whys.items()])


def draw_proof(data, eps) -> Drawing:
    r"""The ratio needed against $\varepsilon$: the largest over the other parameters."""
    kept, panels = data.where(data.applies).max(("d", "length")), []
    for side in ("l1", "l2"):
        lines = [
            Line("the printed proof", eps.values, kept[f"printed_{side}"].values, role="control"),
            Line("the direct inequality", eps.values, kept[f"direct_{side}"].values),
            Rule("granted", 1.0),
        ]
        panels.append(Panel(lines, EPS, log_axis("needed over granted"), title=rf"$\ell_{side[1]}$ side"))
    return Drawing(
        panels,
        caption=r"What the proofs need over what theorem 2 grants, the largest over dimensions and norms: above 1 a proof fails. "
        r"Lemma 5 ($\ell_1$) needs a smaller scale at every $\varepsilon$, lemma 7 ($\ell_2$) a larger one from $\varepsilon = "
        r"0.65$ on.",
    )


CLAIMS = (
    Claim(
        id="woodworth2020/theorem_2_l1",
        kind="theorem",
        title=r"Exponentially small scales suffice for minimum $\ell_1$",
        says=r"For $0 < \varepsilon < d$, $b = \|\beta_{\ell_1}\|_1$ and $\alpha \leq \min((2(1 + \varepsilon)b)^{-(2 + "
        r"\varepsilon)/(2\varepsilon)}, \exp(-d/(\varepsilon b)))$, $\|\beta_\alpha\|_1 \leq (1 + \varepsilon) b$. More is "
        r"true: $\|\beta_\alpha\|_1 - b \leq (b \log(b + \alpha^2) + d)/\log(1/\alpha^2)$ for all $\alpha < \min(1, \sqrt{b})$.",
        source="woodworth2020, theorem 2",
        simulation=SIMULATION,
        judge=judge_l1,
        draw=draw_l1,
        constants={"promise": 1.0},
        sizes={
            "quick": {"n": 15, "d": 40, "least": 1e-110, "points": 160},
            "paper": {"n": 30, "d": 100, "least": 1e-250, "points": 200},
            "smoke": {"least": 1e-100},
        },
        controls=[Control(r"2% of the bound, and of the theorem's $\log\alpha$", {"promise": 0.02}, breaks=("scale", "direct"))],
        seconds={"quick": 3, "paper": 60},
    ),
    Claim(
        id="woodworth2020/theorem_2_l2",
        kind="theorem",
        title=r"Polynomially large scales suffice for minimum $\ell_2$",
        says=r"If $\alpha^2 \geq 2(1 + \varepsilon)(1 + 2/\varepsilon) \|\beta_{\ell_2}\|_2$, then $\|\beta_\alpha\|_2^2 \leq (1 "
        r"+ \varepsilon) \|\beta_{\ell_2}\|_2^2$. The excess is $\|P \beta_{\ell_2}^3\|^2/(576 \alpha^8)$ to leading order, "
        r"with the entrywise cube and $P$ the projection onto the kernel of $X$: many decades below what the theorem allows.",
        source="woodworth2020, theorem 2",
        simulation=SIMULATION,
        judge=judge_l2,
        draw=draw_l2,
        constants={"promise": 1.0, "power": 8},
        sizes={
            "quick": {"least": 1e-3, "most": 1e4, "points": 90},
            "paper": {"least": 1e-4, "most": 1e4, "points": 200},
            "smoke": {"most": 1e4},
        },
        controls=[Control(r"1% of the theorem's scale; an $\alpha^{-4}$ law", {"promise": 0.01, "power": 4}, ("scale", "law"))],
        seconds={"quick": 3, "paper": 20},
    ),
    Claim(
        id="woodworth2020/theorem_2_proof_gap",
        kind="erratum",
        title="A gap in the proof of theorem 2, and its repair",
        says=r"The printed proof applies lemma 5 at norms from $b$ to $(1 + 2\varepsilon) b$ and lemma 7 at $(1 + 2\varepsilon) "
        r"\|\beta_{\ell_2}\|_2$, where the theorem's scales do not satisfy the hypothesis of lemma 5, nor that of lemma 7 for "
        r"$\varepsilon > 0.65$. The statement follows from "
        r"$\|\beta_\alpha\|_1 - b \leq (b \log(b + \alpha^2) + d)/\log(1/\alpha^2)$ and, on the $\ell_2$ side, from $z^2/4 - "
        r"z^4/192 \leq q \leq z^2/4$.",
        source="woodworth2020, appendix E, equations 44 to 47",
        simulation=SHARES,
        judge=judge_proof,
        draw=draw_proof,
        constants={"form": "direct"},
        controls=[Control("the printed proof", changes={"form": "printed"}, breaks=("l1", "l2"))],
        seconds={"quick": 1, "paper": 1},
    ),
)
