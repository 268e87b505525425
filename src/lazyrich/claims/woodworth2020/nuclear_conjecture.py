"""Completion from a vanishing start: the flow goes to the matrix of least rank, not to that of least nuclear norm."""

import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.matrix_completion import SIMULATION as GRID
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Role, Rule
from ..labelled import norm

SIMULATION = Simulation(
    GRID.run,
    pose=GRID.pose,
    params=[
        Param("scale", (100.0, 0.1, 1e-2, 1e-4, 1e-6), smoke=(0.1, 1e-2), low=1e-8, high=1e5, unit="alpha^2 k"),
        Param("width", 1e8, low=1e6, high=1e14, unit="columns: so many that the start is a multiple of I"),
        Param("alpha", "=sqrt(scale/width)", low=1e-12, high=100.0, unit="deviation of every weight at the start"),
        Param("n", 50, smoke=60, low=1, high=10_000, unit="entries known", static=True),
        Param("trials", 12, 30, smoke=2, low=1, high=10_000, unit="draws", static=True),
        *(param for param in GRID.params if param.name in ("d", "cols", "until")),
    ],
    returns=GRID.returns,
)


def refer(problem, scale):
    """The least nuclear norm, and the least Schatten entropy at the scale of the start; the truth beside them."""
    from dataclasses import replace

    from ...predictors import MinNuclear, MinSchattenEntropy

    found = {
        "nuclear": MinNuclear().solve(problem.train),
        "schatten": MinSchattenEntropy(np.sqrt(scale / 2)).solve(problem.train),
    }
    flat = {name: replace(one, effective=one.effective.ravel()) for name, one in found.items()}
    return {**flat, "truth": np.ravel(problem.truth)}


def distances(data, told):
    """From the end of the flow to the truth, to the least nuclear norm and to the least entropy, over the truth's size."""
    size = norm(told["truth"])
    targets = {"truth": told["truth"], "nuclear": told["nuclear"].effective, "schatten": told["schatten"].effective}
    return {name: norm(data.end - target) / size for name, target in targets.items()}


def judge(data, told, target) -> Evidence:
    """Where least rank and least nuclear norm part, the flow goes with the rank; and never along the least entropies."""
    away = distances(data, told)
    excess = told["nuclear"].value.isel(scale=0) if "scale" in told["nuclear"].value.dims else told["nuclear"].value
    gap = (data.true_nuclear.isel(scale=0) / excess - 1).rename("gap")
    part = gap > 1e-3
    last, middle = data.sel(scale=data.scale.min()), data.scale == 1e-2
    over = (last.nuclear / excess - 1) / gap
    own = norm(told["nuclear"].effective - told["truth"]) / norm(told["truth"])
    own = own.isel(scale=0) if "scale" in own.dims else own
    to_target = away[target].sel(scale=data.scale.min())
    return Evidence(
        sound=[
            at_most("loss at the end over the loss of zero", data.loss.max(), 1e-9, why="ten times the stopping level"),
            at_least("draws in which the truth is not of least nuclear norm", part.sum(), 2, why="only they can tell"),
        ],
        holds=[
            at_most(
                "distance from the truth over that of the least nuclear norm from it, the median of those draws",
                (to_target / own).where(part).median(),
                0.5,
                why="0 if the flow goes to the truth, 1 if to the least nuclear norm; nearer to the truth than to the other",
            ),
            at_least(
                "excess over the least nuclear norm, over that of the truth, the median of those draws",
                over.where(part).median(),
                0.4,
                why="1 if the flow goes to the truth, 0 if it minimizes the nuclear norm; half, and a deviation of the median of "
                "some six draws",
            ),
            at_most(
                "distance from the truth where it is of least nuclear norm",
                to_target.where(~part, 0.0).max(),
                0.1,
                why="there the two answers are one; the distance falls with alpha^2 k like its square root or faster, 1e-3 here",
            ),
            at_most(
                "distance from the least Schatten entropy in the kernel limit",
                away["schatten"].where(data.scale >= 100, 0.0).max(),
                0.1,
                why="both tend to the least Frobenius norm; they part by |Y*|/(alpha^2 k), about a tenth at 100",
            ),
            at_least(
                "distance from the least Schatten entropy at alpha^2 k = 1e-2, the median",
                away["schatten"].where(middle).median() if bool(middle.any()) else np.inf,
                0.03,
                why="for measurements that do not commute theorem 4 is silent, and Q_mu of the spectrum is not "
                "what is minimized; "
                "where it were, the distance would be the flow's error, 1e-4",
            ),
        ],
    )


def draw(data, told, scale) -> Drawing:
    """Where the flow ends, against the scale, among three candidates."""
    away = distances(data, told)
    names = {"truth": "from the truth", "nuclear": "from least nuclear norm", "schatten": "from least Schatten entropy"}
    roles: dict[str, Role] = {"truth": "measured", "nuclear": "second", "schatten": "control"}
    ratio = (data.nuclear / told["nuclear"].value).median("trial")
    true = float((data.true_nuclear / told["nuclear"].value).median())
    across = Axis("alpha^2 k", scale="log")
    return Drawing(
        [
            Panel(
                [
                    Line(name, scale.values, away[key].median("trial").values, role=roles[key])
                    for key, name in names.items()
                ],
                x=across,
                y=Axis("relative distance", low=0),
                title="Where the flow ends",
            ),
            Panel(
                [
                    Line("flow", scale.values, ratio.values),
                    Rule("the truth", true),
                    Rule("the least", 1.0, role="control"),
                ],
                x=across,
                y=Axis("nuclear norm over the least one"),
                title="Nuclear norm",
            ),
        ],
        caption="Medians over draws in which 50 known entries of a rank-one 10 x 10 matrix do not always make it "
        "the one of least "
        "nuclear norm. As the start vanishes the nuclear norm first falls near the least one and then rises to "
        "that of the truth.",
    )


CLAIM = Claim(
    kind="statement",
    title="From a vanishing start: least rank, not least nuclear norm",
    says="The paper reports that for alpha^2 k << 1 the nuclear norm is nearly minimized and U V^T tends to Y*. "
    "Where the two differ "
    "only the second is true: the flow tends to the rank-one Y*, and its nuclear norm stays above the least one. Nor is its end "
    "the matrix of least Schatten entropy Q_mu, outside the kernel limit.",
    source="woodworth2020, section 6",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"target": "truth"},
    control=Control(
        "the matrix of least nuclear norm as the limit",
        changes={"target": "nuclear"},
        breaks=("distance from the truth over that of the least nuclear norm from it, the median of those draws",),
    ),
    seconds={"quick": 30, "paper": 90},
)
