r"""Theorem 3: at every depth $D \ge 3$ the flow from scale $\alpha$ ends at the interpolant of least $Q^D_\alpha$."""

from ...lab.settings.diagonal_starts import MISS, SIMULATION
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule
from ..labelled import farthest, last_power, relative_distance
from .prices import power_excess


def refer(problem, scale, depth, shift):
    """The least entropy of this depth, or of another at the same scale, and the two limits."""
    from ...predictors import MinHyperbolicEntropy, MinL1, MinL2

    layers = depth + shift
    return {
        "entropy": MinHyperbolicEntropy(scale ** (1 / layers), depth=layers).solve(problem.train),
        "l1": MinL1().solve(problem.train),
        "l2": MinL2().solve(problem.train),
    }


def judge(data, told, depth, alpha) -> Evidence:
    """The flow's end against theory's answer, and the rates at which it nears the two limits."""
    lazy = last_power(relative_distance(data.end, told["l2"].effective), "scale").median("trial")
    excess = abs(data.end).sum("d") - told["l1"].value
    return Evidence(
        sound=[
            at_most(
                "loss at the end over the loss of zero",
                data.loss.max(),
                10 * MISS,
                why="the theorem speaks of interpolating limits; ten times the level at which runs stop",
            )
        ],
        holds=[
            at_most(
                "relative distance",
                relative_distance(data.end, told["entropy"].effective).max(),
                1e-6,
                why="the run stops at a residual of 1e-8; ten times that for the condition of the inputs, ten to spare",
            ),
            near(
                "power of alpha^D at which the distance from l2 falls",
                farthest(lazy, 2),
                2,
                0.15,
                why="q_D(z) = z^2/4a + O(z^4) with z = beta/alpha^D at every depth; the next term and the residual "
                "of the run, "
                "1e-8 beside a distance of 1e-6, are some hundredths",
            ),
            at_most(
                "excess of l1 over what alpha^(D-2) allows",
                (excess / power_excess(data.end, alpha, depth)).max(),
                1,
                why="(D/2) alpha^(D-2) sum |beta_i|^(2/D), since |z| - (D/2)|z|^(2/D) <= q_D(z) <= |z|: it vanishes "
                "with alpha",
            ),
        ],
    )


def draw(data, told, scale, depth, alpha) -> Drawing:
    """Distances from both limits and from theory's answer against the scale, one line for each depth."""
    lazy, theory = (relative_distance(data.end, told[name].effective) for name in ("l2", "entropy"))
    rich = (abs(data.end).sum("d") / told["l1"].value - 1).median("trial")
    allowed = (power_excess(data.end, alpha, depth) / told["l1"].value).median("trial")
    rows = [("l1 norm over the least, less 1", rich), ("distance from l2", lazy.median("trial"))]
    x = Axis("alpha^D", scale="log")
    panels = [
        Panel(
            [
                Line(f"depth {int(k)}", scale.values, part.sel(depth=k).values, role=SERIES[at % 3])
                for at, k in enumerate(depth.values)
            ],
            x=x,
            y=Axis(label, scale="log"),
            title=label,
        )
        for label, part in rows
    ]
    first = int(depth.values[0])
    bound = Line(f"bound, depth {first}", scale.values, allowed.sel(depth=first).values, role="theory")
    panels[0] = Panel([*panels[0].marks, bound], x=x, y=panels[0].y, title="To the rich limit")
    panels[1] = Panel(panels[1].marks, x=x, y=panels[1].y, title="To the kernel limit, like alpha^(-2D)")
    worst = [
        Points(f"depth {int(k)}", scale.values, theory.sel(depth=k).max("trial").values, role=SERIES[at % 3])
        for at, k in enumerate(depth.values)
    ]
    panels.append(
        Panel(
            [*worst, Rule("bound", 1e-6, role="theory")],
            x=x,
            y=Axis("relative distance", scale="log"),
            title="From the flow's end to theory's answer",
        )
    )
    return Drawing(
        panels=panels,
        columns=3,
        caption="Deeper nets at the same scale alpha^D of their halves: the excess of the l1 norm falls like a power "
        "of alpha, the "
        "distance from least l2 like alpha^(-2D), and the flow's end is theory's answer throughout.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Deeper nets end at the interpolant of least q_D",
    says="For every alpha > 0 and D >= 3 the flow of u^D - v^D from u = v = alpha ends, if it interpolates, at "
    "argmin sum_i alpha^D "
    "q_D(beta_i / alpha^D) subject to X beta = y, with q_D' the inverse of (1-p)^(-D/(D-2)) - (1+p)^(-D/(D-2)); as "
    "alpha "
    "vanishes that is least l1, as it grows least l2.",
    source="woodworth2020, theorem 3",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"shift": 0},
    sizes={
        "smoke": {"depth": (3,)},
        "quick": {"depth": (3, 4)},
        "paper": {"depth": (3, 4, 5, 10), "scale": (1e-3, 1e-2, 0.1, 1.0, 10.0)},
    },
    least={"scale": 2},
    control=Control("the entropy of a net with one layer less", changes={"shift": -1}, breaks=("relative distance",)),
    seconds={"quick": 35, "paper": 90},
)
