r"""One flow of Gram matrices for row, entry and symmetric measurements; lazy and rich solutions differ only for entries."""

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import SERIES, Axis, Drawing, Line, Panel, Points
from ...claims.labelled import norm
from ...claims.marks import equal, log_axis
from .simulations.gram_flow import ENTRIES, KINDS, ROWS, SIMULATION


def predict(problem):
    """The interpolants of minimum Frobenius norm and of minimum nuclear norm, for rows and for entries."""
    import numpy as np

    from ...predictors import MinFrobenius, MinNuclear
    from ...problems import Split

    theory, sure = {}, []
    for name, kind in (("rows", ROWS), ("entries", ENTRIES)):
        data = Split(problem["probes"][kind], problem["labels"][kind])
        for norm_name, least in (("lazy", MinFrobenius()), ("rich", MinNuclear())):
            found = least.solve(data)
            theory[f"{name}_{norm_name}"] = np.ravel(found.effective)
            sure.append(found.ok)
    return {**theory, "sure": float(np.mean(sure))}


def ends(data, theory, name, kind):
    """Distances of the final matrix to both interpolants, and between them, relative to the rich one."""
    last = data.gram.isel(q=kind, t=-1).rename(e="d")
    lazy, rich = theory[f"{name}_lazy"], theory[f"{name}_rich"]
    size = norm(rich)
    return norm(last - lazy) / size, norm(last - rich) / size, norm(lazy - rich) / size


def judge(data, theory) -> Evidence:
    """Gram flows against gradient flow on the factors, what they conserve, and their limits."""
    apart = norm(data.gram - data.factors, "e") / norm(data.factors, "e").max("t")
    to_lazy, to_rich, between = ends(data, theory, "entries", ENTRIES)
    _, _, same = ends(data, theory, "rows", ROWS)
    sure, reach = theory["sure"].min(), float(data.alpha[-1] / data.alpha[0])
    flow = "relative distance between Gram flow and gradient flow, maximum over time"
    why = "one flow in two forms: solver tolerances of 1e-10, some thousand steps, and half of the digits lost"
    return Evidence(
        sound=[
            at_least("fraction of certified interpolants", sure, 1, key="certified", why="the prediction must be known"),
            at_least(r"largest $\alpha$ over the smallest", reach, 10, key="alpha", why="a lazy and a rich initialization"),
        ],
        holds=[
            *(
                at_most(f"{name}: {flow}", apart.isel(q=kind).max(), 1e-6, key=f"flow_{kind}", why=why)
                for kind, name in enumerate(KINDS)
            ),
            at_most(
                r"second moment of the imbalance minus $e^{-4\lambda t}$ times the initial one, over $\|G\|_F^2$, maximum",
                data.kept.max(),
                1e-7,
                key="imbalance",
                why="conserved for every kind of measurement, up to solver tolerance",
            ),
            at_most(
                "rows: relative distance between lazy and rich interpolant, maximum",
                same.max(),
                1e-5,
                key="rows_interpolants",
                why="one matrix minimizes every unitarily invariant norm; the gap of the certificates is 1e-6",
            ),
            at_least(
                "entries: relative distance between lazy and rich interpolant, median",
                between.median(),
                0.2,
                key="entries_interpolants",
                why="with zeros at the unobserved entries a matrix is not of low rank",
            ),
            at_most(
                r"entries, smallest $\alpha$: distance to the rich over that to the lazy interpolant, median",
                (to_rich / to_lazy).isel(alpha=0).median(),
                1,
                key="entries_rich",
                why="small initializations are biased towards low rank",
            ),
            at_most(
                r"entries, largest $\alpha$: distance to the lazy over that to the rich interpolant, median",
                (to_lazy / to_rich).isel(alpha=-1).median(),
                0.5,
                key="entries_lazy",
                why=r"for large initializations the kernel changes little, by $\|M\|/\alpha^2$, a quarter: completion by zeros",
            ),
        ],
    )


def draw(data, theory, alpha) -> Drawing:
    r"""Entries of $M(t)$ from both flows; and the distances to both interpolants against $\alpha$."""
    marks = []
    for kind, name in enumerate(KINDS):
        one = data.isel(trial=0, q=kind, alpha=len(alpha) // 2)
        marks.append(Points(name, one.factors.values[::3].ravel(), one.gram.values[::3].ravel(), role=SERIES[kind]))
    to_lazy, to_rich, _ = ends(data, theory, "entries", ENTRIES)
    from_lazy, _, _ = ends(data, theory, "rows", ROWS)
    to_lazy, to_rich, from_lazy = (part.median("trial").values for part in (to_lazy, to_rich, from_lazy))
    distances = [
        Line("entries: to minimum Frobenius norm", alpha, to_lazy),
        Line("entries: to minimum nuclear norm", alpha, to_rich, role="second"),
        Line("rows: to the only interpolant", alpha, from_lazy, role="control"),
    ]
    x, y = (Axis(f"entry of $M(t)$, {flow}") for flow in ("gradient flow", "Gram flow"))
    return Drawing(
        [
            Panel([*marks, equal(*(mark.x for mark in marks))], x, y, title="One flow for three papers"),
            Panel(distances, log_axis(r"$\alpha$"), log_axis("final relative distance"), title="Dependence on the scale"),
        ],
        caption="Left: $M(t)$ from gradient flow on the factors and from their Gram matrix alone. Right: for row measurements "
        r"all scales have one limit, up to the initialization outside the span of the inputs; for entries $\alpha$ selects it.",
    )


CLAIM = Claim(
    id="bridges/entrywise",
    kind="derived",
    title="One Gram flow for the matrix problems of three papers",
    says="The Gram matrix of the rows of both factors has a closed flow, driven by the residual of any linear measurements: it "
    "describes linear networks (rows), matrix completion (entries), and symmetric factors with weight decay. For row "
    "measurements the interpolants of minimum Frobenius and minimum nuclear norm coincide; for entries they differ, and the "
    "scale of the initialization selects between them.",
    source="bridges: min2021 section 3, woodworth2020 section 6, lyu2024 corollary 3.11",
    simulation=SIMULATION,
    predict=predict,
    judge=judge,
    draw=draw,
    least={"alpha": 2},
    controls=[
        Control("0.9 times the force", changes={"force_factor": 0.9}, breaks=tuple(f"flow_{kind}" for kind in range(len(KINDS))))
    ],
    seconds={"quick": 40, "paper": 300},
)
