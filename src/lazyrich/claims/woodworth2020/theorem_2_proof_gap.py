r"""Theorem 2's proof asks its lemmas for more than the theorem grants; the theorem follows from direct inequalities."""

import numpy as np

from ...lab import Param, Simulation
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel, Rule


def shares(eps, d, length):
    r"""What each proof needs over what the theorem grants, at the theorem's own scales; at most 1 where the proof goes through.

    l1, printed: lemma 5 at $\varepsilon/(2+\varepsilon)$ for norms from $b$ to $(1+2\varepsilon)b$, in $\log\alpha$. l1, direct:
    $(b\log(b+\alpha^2)+d)/\log(1/\alpha^2)$ over $\varepsilon b$. l2, printed: lemma 7 at $\varepsilon/(2+\varepsilon)$ and
    $(1+2\varepsilon)\|\beta_{\ell_2}\|$, in $\alpha$. l2, direct: $(1+\varepsilon)^2\|\beta_{\ell_2}\|^2/48\alpha^4$ over
    $\varepsilon$, from $z^2/4 - z^4/192 \le q \le z^2/4$ and convexity.
    """
    part = eps / (2 + eps)
    granted = np.minimum(-np.log(2 * (1 + eps) * length) / (2 * part), -d / (eps * length))
    needed = [
        min(0.0, np.log(b) / 2, -np.log(2 * b) / (2 * part), -d / (2 * part * b))
        for b in (length, (1 + 2 * eps) * length)
    ]
    direct = (length * np.log(length + np.exp(2 * granted)) + d) / (-2 * granted)
    scale = np.sqrt(2 * (1 + eps) * (1 + 2 / eps) * length)
    return {
        "printed_l1": min(needed) / granted,
        "direct_l1": direct / (eps * length),
        "printed_l2": np.sqrt((1 + 2 * eps) * length) * (1 + part**-0.25) / scale,
        "direct_l2": (1 + eps) ** 2 * length**2 / (48 * scale**4) / eps,
        "applies": eps < d,
    }


SIMULATION = Simulation(
    shares,
    params=[
        Param("eps", (0.01, 0.1, 0.3, 0.5, 0.7, 1.0, 3.0, 30.0), smoke=(0.1, 1.0, 3.0), low=1e-4, high=1e4),
        Param("d", (3.0, 10.0, 100.0, 1e4), smoke=(10.0,), low=2, high=1e8, unit="unknowns"),
        Param(
            "length",
            (0.01, 0.1, 0.5, 1.0, 3.0, 10.0, 100.0, 1e4),
            smoke=(1.0, 10.0),
            low=1e-4,
            high=1e6,
            unit="least norm",
        ),
    ],
    returns=dict.fromkeys(("printed_l1", "direct_l1", "printed_l2", "direct_l2", "applies"), ""),
    random=False,
    host=True,
)


def judge(data, form) -> Evidence:
    """The largest share of what is granted, on each side."""
    sides = [data[f"{form}_{name}"].where(data.applies).max() for name in ("l1", "l2")]
    return Evidence(
        holds=[
            at_most(
                "l1 side: most that is needed over what is granted",
                sides[0],
                1,
                why="an implication with no tolerance: 2(1 + eps)b >= b + alpha^2 and half of each bound on "
                "log(1/alpha^2) suffice",
            ),
            at_most(
                "l2 side: most that is needed over what is granted",
                sides[1],
                1,
                why="an implication with no tolerance: eps/192(2 + eps)^2 is at most 1/1536",
            ),
        ],
    )


def draw(data, eps) -> Drawing:
    """The share needed against eps: the worst over the other parameters."""
    panels = []
    for name in ("l1", "l2"):
        printed, direct = (
            data[f"{form}_{name}"].where(data.applies).max(("d", "length")) for form in ("printed", "direct")
        )
        lines = [
            Line("the printed proof", eps.values, printed.values, role="control"),
            Line("the direct inequality", eps.values, direct.values),
        ]
        panels.append(
            Panel(
                [*lines, Rule("granted", 1.0)],
                x=Axis("eps", scale="log"),
                y=Axis("needed over granted", scale="log"),
                title=f"{name} side",
            )
        )
    return Drawing(
        panels=panels,
        caption="What the proofs need over what theorem 2 grants, the worst over dimensions and norms: above 1 a proof "
        "does not go "
        "through. On the l1 side lemma 5 needs a smaller scale at every eps, on the l2 side lemma 7 a larger one from "
        "eps = 0.65 on.",
    )


CLAIM = Claim(
    kind="erratum",
    title="A gap in the proof of theorem 2, and its mending",
    says="The printed proof applies lemma 5 at norms from b to (1 + 2 eps) b and lemma 7 at (1 + 2 eps)|beta_l2|, "
    "where the theorem's "
    "scales do not meet their hypotheses. The statement follows from |beta|_1 - b <= (b log(b + alpha^2) + "
    "d)/log(1/alpha^2) and, on the l2 side, from z^2/4 - z^4/192 <= q <= z^2/4.",
    source="woodworth2020, appendix E, equations 44 to 47",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"form": "direct"},
    control=Control(
        "the printed proof",
        changes={"form": "printed"},
        breaks=(
            "l1 side: most that is needed over what is granted",
            "l2 side: most that is needed over what is granted",
        ),
    ),
    seconds={"quick": 1, "paper": 1},
)
