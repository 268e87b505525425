r"""The rich limit of a net of depth $D \ge 3$ is least $\sum_i|\beta_i|/w_i^{D-2}$: the shape of the start does not disappear."""

import numpy as np

from ...lab.settings.diagonal_starts import MISS, SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points, Rule
from ..labelled import relative_distance
from .prices import power_excess

# Theory's answer here is the rich limit to a share of alpha^(D-2).
TINY = 1e-4


def refer(problem, alpha, depth, weighted):
    """The least entropy at this scale and at a tiny one; least l1 with the shape's weights, and without."""
    from ...predictors import MinHyperbolicEntropy, MinL1

    shape = np.asarray(problem.shape)
    return {
        "entropy": MinHyperbolicEntropy(alpha, depth=depth, shape=shape**weighted).solve(problem.train),
        "tiny": MinHyperbolicEntropy(TINY, depth=depth, shape=shape).solve(problem.train),
        "weighted": MinL1(shape ** (weighted * (2.0 - depth))).solve(problem.train),
        "plain": MinL1().solve(problem.train),
    }


def judge(data, told, depth, weighted) -> Evidence:
    """The flow's end against theory's answer, that answer at a tiny scale against the weighted norm, and against plain l1."""
    tiny, weights = told["tiny"].effective, data["shape"] ** (weighted * (2 - depth))
    excess = (abs(tiny) * weights).sum("d") - told["weighted"].value
    plain = abs(tiny).sum("d") - told["plain"].value
    granted = power_excess(tiny, TINY, depth)
    return Evidence(
        sound=[
            at_most(
                "loss at the end over the loss of zero",
                data.loss.max(),
                10 * MISS,
                why="the statement is about interpolating limits; ten times the level at which runs stop",
            )
        ],
        holds=[
            at_most(
                "relative distance",
                relative_distance(data.end, told["entropy"].effective).max(),
                1e-6,
                why="the run stops at a residual of 1e-8; ten times that for the condition of the inputs, ten to spare",
            ),
            at_most(
                "excess of the weighted norm at alpha = 1e-4, in decades above its bound",
                np.log10((excess / granted).max()),
                0,
                why="(D/2) alpha^(D-2) sum |beta_i|^(2/D), since |z| - (D/2)|z|^(2/D) <= q_D(z) <= |z|: weights do "
                "not enter",
            ),
            at_least(
                "excess of the plain l1 norm at alpha = 1e-4, in decades above that bound",
                np.log10(plain.mean("trial") / granted.mean("trial")).min(),
                1,
                why="ten times what the scale accounts for: another limit",
            ),
        ],
    )


def draw(data, told, scale, depth) -> Drawing:
    """Excesses of both norms at the flow's end against the scale, by depth."""
    panels = []
    for k in depth.values:
        end = data.end.sel(depth=k)
        weights = data["shape"].sel(depth=k) ** (2 - int(k))
        own = (abs(end) * weights).sum("d") / told["weighted"].value.sel(depth=k) - 1
        plain = abs(end).sum("d") / told["plain"].value.sel(depth=k) - 1
        limit = (abs(told["tiny"].effective.sel(depth=k)).sum("d") / told["plain"].value.sel(depth=k) - 1).median()
        panels.append(
            Panel(
                [
                    Points("weighted by w^(2-D)", scale.values, own.median("trial").values),
                    Line("plain l1", scale.values, plain.median("trial").values, role="second"),
                    Rule("plain l1 of the limit", float(limit)),
                ],
                x=Axis("alpha^D", scale="log"),
                y=Axis("norm over its least value, less 1", scale="log"),
                title=f"Depth {int(k)}",
            )
        )
    return Drawing(
        panels=panels,
        caption="Starts of random shape, medians over draws: as the scale vanishes the flow's end nears the least "
        "weighted l1 norm, "
        "and stays away from the least plain one.",
    )


CLAIM = Claim(
    kind="derived",
    title="Beyond depth 2 the shape of the start survives in the rich limit",
    says="From u = v = alpha w_0 the flow of a net of depth D >= 3 ends at argmin sum_i alpha^D w_i^2 q_D(beta_i / "
    "(alpha w_i)^D) subject "
    "to X beta = y, which tends to the least sum_i |beta_i| / w_i^(D-2) as alpha vanishes: a weighted l1 norm, "
    "unlike at depth 2.",
    source="woodworth2020, theorem 3 with the shape of theorem 1",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"weighted": 1.0},
    sizes={
        "smoke": {"depth": (3,), "spread": 2.0},
        "quick": {"depth": (3, 4), "spread": 2.0},
        "paper": {"depth": (3, 4, 5), "spread": 2.0},
    },
    control=Control(
        "a shape without influence, as at depth 2",
        changes={"weighted": 0.0},
        breaks=("relative distance", "excess of the weighted norm at alpha = 1e-4, in decades above its bound"),
    ),
    seconds={"quick": 30, "paper": 60},
)
