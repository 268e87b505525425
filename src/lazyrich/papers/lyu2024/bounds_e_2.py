r"""Theorems E.2 to E.5: of sparse signs the largest l1 margin needs $O(k^2\log d)$ samples, the largest l2 margin $O(kd)$."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...lab import Param, Simulation
from ...problems import Split, sparse_classification
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule, Slope

# Samples over log(2d) for the l1 margin, and over d for the l2 margin: around those of 90% test accuracy at k = 3.
MULTIPLES = {"l1": (2.5, 4.0, 6.0, 9.0), "l2": (1.0, 1.4, 1.8, 2.4)}


def drawn(key, **sizes):
    """Training points, their labels, and test points."""
    data = sparse_classification(key, **sizes)
    assert isinstance(data.train, Split) and isinstance(data.test, Split), "the cube has points"
    return np.asarray(data.train.x), np.asarray(data.train.y), data.test


def fitted(norm: str, x, y, *, test: Split):
    """The test error of the largest margin on these samples, that margin, and whether it is certified."""
    from ...predictors import MaxMargin

    # A point seen twice is the same constraint.
    rows = np.unique(np.concatenate([x, y[:, None]], axis=1), axis=0)
    told = MaxMargin(norm).solve(Split(jnp.asarray(rows[:, :-1]), jnp.asarray(rows[:, -1])))
    wrong = np.asarray(test.y) * (np.asarray(test.x) @ np.asarray(told.effective)) <= 0
    return wrong.mean(), 1 / told.value, bool(told.ok)


def complexity(norm: str, x, signs) -> float:
    r"""$\mathbb E_\sigma\sup_{\|w\|\le1}\frac1n\sum_i\sigma_i\langle w, x_i\rangle$: the mean dual norm of $X^\top\sigma/n$."""
    return float(np.linalg.norm(signs[:, : len(x)] @ x, axis=1, ord=np.inf if norm == "l1" else 2).mean() / len(x))


def simulate(key, *, d, sparsity, draws, fresh, signs, few, ample):
    """Errors, margins and complexities for a few multiples of the samples, averaged over data sets; and with ample samples."""
    count = {"l1": np.log(2 * d), "l2": float(d)}
    sizes = {norm: [int(np.ceil(part * count[norm])) for part in parts] for norm, parts in MULTIPLES.items()}
    top = max(max(parts) for parts in sizes.values())
    sigma = np.asarray(jr.rademacher(jr.fold_in(key, 4), (signs, top), float))
    found = {f"{norm}_{what}": [] for norm in sizes for what in ("error", "margin", "complexity")}
    sound = True
    for at in range(draws):
        x, y, test = drawn(jr.fold_in(jr.fold_in(key, 0), at), n=top, d=d, sparsity=sparsity, test=fresh)
        for norm, parts in sizes.items():
            told = [fitted(norm, x[:n], y[:n], test=test) for n in parts]
            found[f"{norm}_error"].append([one[0] for one in told])
            found[f"{norm}_margin"].append([one[1] for one in told])
            found[f"{norm}_complexity"].append([complexity(norm, x[:n], sigma) for n in parts])
            sound = sound and all(one[2] for one in told)
    seen = {name: np.min(part, axis=0) if "margin" in name else np.mean(part, axis=0) for name, part in found.items()}
    x, y, test = drawn(jr.fold_in(key, 1), n=ample, d=few, sparsity=sparsity, test=fresh)
    plenty = {norm: fitted(norm, x, y, test=test) for norm in sizes}
    return {
        **seen,
        **{f"{norm}_samples": np.array(parts, float) for norm, parts in sizes.items()},
        **{f"{norm}_plenty": one[0] for norm, one in plenty.items()},
        "outcome": 0 if sound and all(one[2] for one in plenty.values()) else 2,
    }


SIMULATION = Simulation(
    simulate,
    params=[
        Param("d", (32, 128), (32, 128, 512), smoke=(8, 16), low=4, high=5_000, unit="unknowns"),
        Param("sparsity", 3, smoke=1, low=1, high=9, unit="relevant inputs, odd"),
        Param("draws", 4, 20, smoke=1, low=1, high=1_000, unit="data sets a trial"),
        Param("fresh", 2_000, 10_000, smoke=100, low=100, high=100_000, unit="test points"),
        Param("signs", 1_000, smoke=50, low=10, high=100_000, unit="draws of the signs of the complexity"),
        Param("few", 10, smoke=6, low=3, high=16, unit="unknowns where samples are ample"),
        Param("ample", 1_500, smoke=200, low=10, high=100_000, unit="ample samples"),
    ],
    returns={
        **{f"{norm}_{what}": "m" for norm in MULTIPLES for what in ("error", "margin", "complexity", "samples")},
        **{f"{norm}_plenty": "" for norm in MULTIPLES},
        "outcome": "",
    },
    host=True,
)


def proven(ball: str, n, d):
    """The complexity of a unit ball on points of the cube, as the theorem bounds it."""
    return (2 * np.log(2 * d) / n) ** 0.5 if ball == "l1" else (d / n) ** 0.5


def margin_of_truth(ball: str, sparsity):
    """The margin of the true direction, in this norm."""
    return 1 / sparsity if ball == "l1" else sparsity**-0.5


def bound(ball: str, n, d, sparsity, risk):
    """The test error that theorems E.4 and E.5 allow."""
    return 4 / margin_of_truth(ball, sparsity) * proven(ball, n, d) + 3 * (np.log(2 / risk) / (2 * n)) ** 0.5


def needed(data, norm: str, level: float):
    """The samples at which the mean test error is down at a level, between two multiples; never is infinity."""
    error, n = data[f"{norm}_error"].mean("trial"), data[f"{norm}_samples"].isel(trial=0)
    there = error <= level
    after = there.argmax("m").clip(min=1)
    high, low = error.isel(m=after - 1), error.isel(m=after)
    share = ((high - level) / (high - low).where(high > low, 1.0)).clip(0, 1)
    count = n.isel(m=after - 1) + share * (n.isel(m=after) - n.isel(m=after - 1))
    return count.where(there.any("m"), np.inf)


def grows(data, norm: str, level: float):
    """The power of d at which the samples needed grow, from the first to the last d."""
    ends = needed(data, norm, level).isel(d=[0, -1])
    if not np.isfinite(ends).all():
        return np.inf
    return float(np.log(ends[-1] / ends[0]) / np.log(ends.d[-1] / ends.d[0]))


def judge(data, d, sparsity, few, ample, level, risk, sparse, dense) -> Evidence:
    """Complexities, margins and errors against their bounds, and how the samples needed grow with d."""
    least, ratio, allowed = [], [], []
    for norm, ball in ((sparse, "l1"), (dense, "l2")):
        n = data[f"{norm}_samples"]
        ratio.append((data[f"{norm}_complexity"] / proven(ball, n, d)).mean("trial").max())
        least.append((data[f"{norm}_margin"] / margin_of_truth(ball, sparsity)).min())
        allowed.append(data[f"{norm}_plenty"].max() / bound(ball, ample, few, sparsity, risk))
    return Evidence(
        sound=[
            at_most(
                "largest bound on the error with ample samples",
                max(bound(ball, ample, few, sparsity, risk) for ball in ("l1", "l2")),
                0.99,
                why="an error above 1 is none, and a bound above it says nothing",
            )
        ],
        holds=[
            at_most(
                "complexity of the l1 ball over its bound",
                ratio[0],
                1,
                why="theorem E.3, a maximum over 2d bounded sums",
            ),
            at_most(
                "complexity of the l2 ball over its bound",
                ratio[1],
                1.01,
                why="theorem E.3, a mean over the root of a mean square: nearly 1, and the draws tell it to some thousandths",
            ),
            at_least(
                "least largest margin over that of the truth, l1 and l2",
                min(least),
                1 - 1e-6,
                why="no smaller than the truth's, 1/k and 1/sqrt(k), up to the gap that is certified",
            ),
            at_most(
                "largest test error with ample samples over its bound, l1 and l2",
                max(allowed),
                1,
                why="theorems E.4 and E.5: violated in one draw of 20 at most, and they lose constants",
            ),
            near(
                "power of d at which the samples of the l2 margin grow",
                grows(data, dense, level),
                1,
                0.25,
                why="O(kd) samples, and no fewer of order: 16 data sets tell their number to a tenth",
            ),
            at_most(
                "power of d at which the samples of the l1 margin grow",
                grows(data, sparse, level),
                0.6,
                why="O(k^2 log d): 0.2 for log(2d) itself between 32 and 128, up to 0.4 with what log d is counted from, and "
                "a tenth",
            ),
        ],
    )


def draw(data, d, level) -> Drawing:
    """Test error against samples, and the samples needed against d."""
    panels, points = [], []
    for norm, role in zip(MULTIPLES, SERIES, strict=False):
        title = f"largest {norm} margin"
        lines = [
            Line(
                f"d = {int(size)}",
                data[f"{norm}_samples"].sel(d=size).isel(trial=0).values,
                data[f"{norm}_error"].sel(d=size).mean("trial").values,
                role=part,
            )
            for size, part in zip(d.values, SERIES, strict=False)
        ]
        panels.append(
            Panel([*lines, Rule("10%", level)], x=Axis("samples", low=0), y=Axis("test error", low=0), title=title)
        )
        points.append(Points(title, d.values, needed(data, norm, level).values, role=role))
    ends, last = [float(d.values[0]), float(d.values[-1])], float(points[1].y[-1])
    panels.append(
        Panel(
            [*points, Slope("d", ends, (ends[1], last), 1)],
            x=Axis("d", scale="log"),
            y=Axis("samples for a test error of 10%", scale="log"),
            title="Samples needed",
        )
    )
    return Drawing(
        panels,
        columns=3,
        caption="Test error of the largest margins on points of the cube labeled by the majority of a few coordinates, the mean "
        "over data sets. The l2 margin needs samples in proportion to d, the l1 margin fewer, and some that grow far slower.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Samples that the two margins need",
    says="On points of the cube labeled by the majority of k coordinates the largest l1 margin has, with probability 1 - delta, "
    "a test error of at most 4k (2 log(2d)/n)^(1/2) + 3 (log(2/delta)/(2n))^(1/2), and the largest l2 margin one of at most "
    "4 (kd/n)^(1/2) plus the same, by the Rademacher complexities of unit balls and the margins 1/k and 1/sqrt(k) of the truth: "
    "samples like log d against samples like d.",
    source="lyu2024, theorems E.2 to E.5",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"level": 0.1, "risk": 0.05, "sparse": "l1", "dense": "l2"},
    least={"d": 2},
    aliases=("theorem_e_2", "theorem_e_3", "theorem_e_4", "theorem_e_5"),
    control=Control(
        "the two margins exchanged",
        changes={"sparse": "l2", "dense": "l1"},
        breaks=(
            "complexity of the l1 ball over its bound",
            "least largest margin over that of the truth, l1 and l2",
            "power of d at which the samples of the l2 margin grow",
            "power of d at which the samples of the l1 margin grow",
        ),
    ),
    seconds={"quick": 15, "paper": 700},
)
