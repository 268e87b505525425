r"""Erratum: the last error grows like the strength, not like rate x strength; only projected descent's grows like both."""

from ...lab.settings.l1_descent import METHODS
from ...lab.settings.sparse_phases import ENDS
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import Drawing
from ..labelled import norm
from . import phases
from .scaling import against_product, enough, power, settled


def refer(problem, level, strength):
    """The slow flow, and the lasso of this strength: the loss as half a sum of squares."""
    from ...losses import HALF_SUM
    from ...predictors import Lasso

    return {**phases.refer(problem, level), "lasso": Lasso(strength, HALF_SUM).solve(problem.train)}


def judge(data, told, strength, level, reach, in_rate) -> Evidence:
    """Powers of strength and rate in the last error of each method, and the proximal end beside the lasso."""
    plain = {name: part.isel(strength=0, drop=True) for name, part in told.items() if name != "lasso"}
    good = settled(plain, strength=strength, level=level, reach=reach)
    errors = {method: data[f"{method}_error"].where(good) for method in METHODS}
    pace = {method: power(one, "rate").median() for method, one in errors.items()}
    lasso = told["lasso"].effective
    apart = norm(data.end - lasso) / norm(data.truth - lasso)
    return Evidence(
        sound=[enough(good)],
        holds=[
            at_most(
                "power of the strength in the last error of three methods, less one, the farthest of medians",
                max(float(abs(power(one, "strength").median() - 1)) for one in errors.values()),
                0.1,
                why="at a fixed rate strength and truth have one unit; steps to and fro have a phase by chance, which is a "
                "fifth of the projected error or less over a factor of ten",
            ),
            near(
                "power of the rate in the last error of proximal descent",
                pace["proximal"],
                in_rate,
                0.02,
                why="its fixed point is the lasso, whatever the rate",
            ),
            near(
                "power of the rate in the last error of projected descent",
                pace["projected"],
                1,
                0.15,
                why="it fits the data exactly and has no bias: steps to and fro alone, of size rate x strength and of a "
                "phase by chance",
            ),
            near(
                "power of the rate in the last error of subgradient descent",
                pace["subgradient"],
                0.3,
                0.3,
                why="bias, without the rate, and steps to and fro, with it: between none and 0.6",
            ),
            at_most(
                "distance of the proximal end from the lasso over that of the lasso from the truth, the largest",
                apart.where(good).max(),
                1e-3,
                why="the fixed point is reached at a geometric pace, thousands of steps before the end",
            ),
        ],
    )


def draw(data, told, strength, level, reach) -> Drawing:
    """The last errors of three methods against rate x strength."""
    plain = {name: part.isel(strength=0, drop=True) for name, part in told.items() if name != "lasso"}
    good = settled(plain, strength=strength, level=level, reach=reach)
    panels = []
    for method in METHODS:
        panels.append(against_product(data[f"{method}_error"], good, name=f"last error, {method}", exponent=1))
    return Drawing(
        panels,
        columns=3,
        caption="Medians over draws. Dashed: an error in proportion to rate x strength, as printed. It is met by projected "
        "descent alone; the others keep the lasso's bias, in proportion to the strength, whatever the rate.",
    )


CLAIM = Claim(
    kind="erratum",
    title="A smaller rate does not help: the last error is the lasso's",
    says="Printed is a last error in proportion to rate x strength. Proximal descent ends at the lasso, at an error in "
    "proportion to the strength for any rate; subgradient descent adds steps to and fro; projected descent alone follows the "
    "print.",
    source="beyond_l2, theorem 2.1 and figure 1",
    simulation=ENDS,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"in_rate": 0.0},
    sizes={"quick": {"strength": (1e-3, 1e-4), "level": 0.05}},
    least={"rate": 2, "strength": 2},
    control=Control(
        "an error in proportion to the rate, as printed",
        changes={"in_rate": 1.0},
        breaks=("power of the rate in the last error of proximal descent",),
    ),
    seconds={"quick": 12, "paper": 900},
)
