r"""One flow of Gram matrices serves rows, entries and symmetric entries; only for entries do lazy and rich answers differ."""

from ...lab.settings.gram_flow import ENTRIES, KINDS, ROWS, SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points
from ..labelled import norm


def refer(problem):
    """The answers of least Frobenius and of least nuclear norm, for rows and for entries."""
    import numpy as np

    from ...predictors import MinFrobenius, MinNuclear
    from ...problems import Split

    told, sure = {}, []
    for name, kind in (("rows", ROWS), ("entries", ENTRIES)):
        data = Split(problem["probes"][kind], problem["answers"][kind])
        for norm_name, least in (("lazy", MinFrobenius()), ("rich", MinNuclear())):
            found = least.solve(data)
            told[f"{name}_{norm_name}"] = np.ravel(found.effective)
            sure.append(found.ok)
    return {**told, "sure": float(np.mean(sure))}


def ends(data, told, name, kind):
    """How far the last map is from both answers, and they from each other, over the rich one."""
    last = data.gram.isel(q=kind, t=-1).rename(e="d")
    lazy, rich = told[f"{name}_lazy"], told[f"{name}_rich"]
    size = norm(rich)
    return norm(last - lazy) / size, norm(last - rich) / size, norm(lazy - rich) / size


def judge(data, told) -> Evidence:
    """Gram flows against flows of the factors, what they conserve, and where they end."""
    apart = norm(data.gram - data.factors, "e") / norm(data.factors, "e").max("t")
    to_lazy, to_rich, between = ends(data, told, "entries", ENTRIES)
    from_lazy, _, same = ends(data, told, "rows", ROWS)
    return Evidence(
        sound=[
            at_least("share of certified answers", told["sure"].min(), 1, why="theory's answers must be known"),
            at_least(
                "largest start over the least",
                float(data.alpha[-1] / data.alpha[0]),
                10,
                why="a lazy and a rich start are to be told apart",
            ),
        ],
        holds=[
            *[
                at_most(
                    f"{name}: map of the Gram flow less that of the factors, relative, at all times",
                    apart.isel(q=kind).max(),
                    1e-6,
                    why="one flow in two forms: solver tolerances of 1e-10, some thousand steps, and half of the digits lost",
                )
                for kind, name in enumerate(KINDS)
            ],
            at_most(
                "second moment of the imbalance less exp(-4 decay t) of the first, over the Gram matrix squared",
                data.kept.max(),
                1e-7,
                why="conserved for every kind of measurement: solver tolerance",
            ),
            at_most(
                "rows: lazy and rich answer apart, relative, the largest",
                same.max(),
                1e-5,
                why="every norm that turns leave alone is least at one map: the certificates' gap is 1e-6",
            ),
            at_least(
                "entries: lazy and rich answer apart, relative, the median",
                between.median(),
                0.2,
                why="zeros at entries not seen are not of low rank",
            ),
            at_most(
                "entries: smallest start, distance from the rich answer over that from the lazy one, the median",
                (to_rich / to_lazy).isel(alpha=0).median(),
                1,
                why="small starts go to low rank: nearer to the rich answer than to the lazy one",
            ),
            at_most(
                "entries: largest start, distance from the lazy answer over that from the rich one, the median",
                (to_lazy / to_rich).isel(alpha=-1).median(),
                0.5,
                why="large starts move the kernel little, by the map over alpha^2, a quarter, and fill with zeros",
            ),
        ],
    )


def draw(data, told, alpha) -> Drawing:
    """Maps of both forms along the way, entry by entry; and the distances from both answers against the start."""
    marks = []
    for kind, name in enumerate(KINDS):
        one = data.isel(trial=0, q=kind, alpha=len(alpha) // 2)
        marks.append(Points(name, one.factors.values[::3].ravel(), one.gram.values[::3].ravel(), role=SERIES[kind]))
    low = min(float(mark.x.min()) for mark in marks)
    high = max(float(mark.x.max()) for mark in marks)
    to_lazy, to_rich, _ = ends(data, told, "entries", ENTRIES)
    from_lazy, _, _ = ends(data, told, "rows", ROWS)
    return Drawing(
        [
            Panel(
                [*marks, Line("equal", [low, high], [low, high], role="theory")],
                x=Axis("entry of the map, factors"),
                y=Axis("entry of the map, Gram flow"),
                title="Three papers, one integrator",
            ),
            Panel(
                [
                    Line("entries: from least Frobenius norm", alpha, to_lazy.median("trial").values),
                    Line("entries: from least nuclear norm", alpha, to_rich.median("trial").values, role="second"),
                    Line("rows: from their one answer", alpha, from_lazy.median("trial").values, role="control"),
                ],
                x=Axis("alpha", scale="log"),
                y=Axis("relative distance at the end", scale="log"),
                title="Where the scale matters",
            ),
        ],
        caption="Left: maps along the flow, by the factors and by their Gram matrix alone. Right: for whole rows there is one "
        "answer for all scales, up to what no input sees; for single entries the scale of the start chooses.",
    )


CLAIM = Claim(
    kind="derived",
    title="One Gram flow for completion in three papers",
    says="The Gram matrix of all rows of both factors has a flow of its own, driven by the residual of any linear measurement: "
    "it follows a linear net on rows, a completed matrix, and a symmetric difference with decay. For rows least Frobenius and "
    "least nuclear norm are one map; for entries they differ, and the scale of the start chooses.",
    source="bridges: min2021 section 3, woodworth2020 section 6, lyu2024 corollary 3.11",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    least={"alpha": 2},
    control=Control(
        "a force of nine tenths",
        changes={"share": 0.9},
        breaks=tuple(
            f"{name}: map of the Gram flow less that of the factors, relative, at all times" for name in KINDS
        ),
    ),
    seconds={"quick": 40, "paper": 300},
)
