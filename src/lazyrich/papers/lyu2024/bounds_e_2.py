r"""Theorems E.2 to E.5: for sparse signs max $\ell_1$ margin needs $O(k^2\log d)$ samples, max $\ell_2$ margin $O(kd)$."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most, near
from ...claims.drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule, Slope
from ...claims.marks import log_axis
from ...lab import Param, Simulation
from ...problems import Split, sparse_classification

# Samples over log(2d) for the l1 margin, and over d for the l2 margin: around 90% test accuracy at k = 3.
MULTIPLES = {"l1": (2.5, 4.0, 6.0, 9.0), "l2": (1.0, 1.4, 1.8, 2.4)}


def drawn(key, **sizes):
    """Training points, their labels, and test points."""
    data = sparse_classification(key, **sizes)
    return np.asarray(data.train.x), np.asarray(data.train.y), data.held_out


def fitted(norm: str, x, y, *, test: Split):
    """The test error of the max-margin classifier of these samples, its margin, and whether it is certified."""
    from ...predictors import MaxMargin

    # A repeated point is the same constraint.
    rows = np.unique(np.concatenate([x, y[:, None]], axis=1), axis=0)
    predicted = MaxMargin(norm).solve(Split(jnp.asarray(rows[:, :-1]), jnp.asarray(rows[:, -1])))
    wrong = np.asarray(test.y) * (np.asarray(test.x) @ np.asarray(predicted.effective)) <= 0
    return wrong.mean(), 1 / predicted.value, bool(predicted.ok)


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
            predicted = [fitted(norm, x[:n], y[:n], test=test) for n in parts]
            found[f"{norm}_error"].append([one[0] for one in predicted])
            found[f"{norm}_margin"].append([one[1] for one in predicted])
            found[f"{norm}_complexity"].append([complexity(norm, x[:n], sigma) for n in parts])
            sound = sound and all(one[2] for one in predicted)
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
        Param("d", (32, 128), (32, 128, 512), smoke=(8, 16), low=4, high=5_000, unit="dimensions"),
        Param("sparsity", 3, smoke=1, low=1, high=9, unit="relevant inputs, odd"),
        Param("draws", 4, 20, smoke=1, low=1, high=1_000, unit="data sets a trial"),
        Param("fresh", 2_000, 10_000, smoke=100, low=100, high=100_000, unit="test points"),
        Param("signs", 1_000, smoke=50, low=10, high=100_000, unit="random signs of the complexity"),
        Param("few", 10, smoke=6, low=3, high=16, unit="dimensions with ample samples"),
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
    """The margin of the ground truth, in this norm."""
    return 1 / sparsity if ball == "l1" else sparsity**-0.5


def bound(ball: str, n, d, sparsity, risk):
    """The test error that theorems E.4 and E.5 allow."""
    return 4 / margin_of_truth(ball, sparsity) * proven(ball, n, d) + 3 * (np.log(2 / risk) / (2 * n)) ** 0.5


def needed(data, norm: str, level: int | float):
    """The samples at which the mean test error has fallen to a level, interpolated between multiples; infinite if never."""
    error, n = data[f"{norm}_error"].mean("trial"), data[f"{norm}_samples"].isel(trial=0)
    there = error <= level
    after = there.argmax("m").clip(min=1)
    high, low = error.isel(m=after - 1), error.isel(m=after)
    fraction = ((high - level) / (high - low).where(high > low, 1.0)).clip(0, 1)
    count = n.isel(m=after - 1) + fraction * (n.isel(m=after) - n.isel(m=after - 1))
    return count.where(there.any("m"), np.inf)


def grows(data, norm: str, level: int | float):
    """The power of d at which the samples needed grow, from the first to the last d."""
    ends = needed(data, norm, level).isel(d=[0, -1])
    if not np.isfinite(ends).all():
        return np.inf
    return float(np.log(ends[-1] / ends[0]) / np.log(ends.d[-1] / ends.d[0]))


def beside_bound(ball: str, ratio, target, why: str) -> Reading:
    """The Rademacher complexity of a unit ball, beside theorem E.3."""
    name = rf"Rademacher complexity of the $\ell_{ball[1]}$ ball over its bound"
    return at_most(name, ratio, target, key=f"{ball}_complexity", why=f"theorem E.3, {why}")


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
                key="bound",
                why="an error above 1 is impossible, and a bound above it is empty",
            )
        ],
        holds=[
            beside_bound("l1", ratio[0], 1, "a maximum over $2d$ bounded sums"),
            beside_bound(
                "l2", ratio[1], 1.01, "a mean over a root mean square: nearly 1, up to a Monte Carlo error of thousandths"
            ),
            at_least(
                r"smallest maximum margin over that of the ground truth, $\ell_1$ and $\ell_2$",
                min(least),
                1 - 1e-6,
                key="margin",
                why=r"no smaller than that of the ground truth, $1/k$ and $1/\sqrt{k}$, up to the certified gap",
            ),
            at_most(
                r"largest test error with ample samples over its bound, $\ell_1$ and $\ell_2$",
                max(allowed),
                1,
                key="error",
                why="theorems E.4 and E.5: violated in one trial of 20 at most, with loose constants",
            ),
            near(
                r"power of $d$ in the samples that the $\ell_2$ margin needs",
                grows(data, dense, level),
                1,
                0.25,
                key="l2_samples",
                why="$O(kd)$ samples, and no fewer up to a constant: 16 data sets determine their number to a tenth",
            ),
            at_most(
                r"power of $d$ in the samples that the $\ell_1$ margin needs",
                grows(data, sparse, level),
                0.6,
                key="l1_samples",
                why=r"$O(k^2\log d)$: 0.2 for $\log(2d)$ itself between 32 and 128, up to 0.4 with an offset "
                r"of $\log d$, and a tenth",
            ),
        ],
    )


def draw(data, d, level) -> Drawing:
    """Test error against samples, and the samples needed against d."""
    panels, points = [], []
    for norm, role in zip(MULTIPLES, SERIES, strict=False):
        title = rf"max $\ell_{norm[1]}$ margin"
        lines = [
            Line(
                f"$d = {int(size)}$",
                data[f"{norm}_samples"].sel(d=size).isel(trial=0).values,
                data[f"{norm}_error"].sel(d=size).mean("trial").values,
                role=part,
            )
            for size, part in zip(d.values, SERIES, strict=False)
        ]
        panels.append(Panel([*lines, Rule("10%", level)], Axis("samples", low=0), Axis("test error", low=0), title=title))
        points.append(Points(title, d.values, needed(data, norm, level).values, role=role))
    ends, last = [float(d.values[0]), float(d.values[-1])], float(points[1].y[-1])
    points.append(Slope("$d$", ends, (ends[1], last), 1))
    panels.append(Panel(points, log_axis("$d$"), log_axis("samples for a test error of 10%"), title="Samples needed"))
    return Drawing(
        panels,
        columns=3,
        caption="Test error of the max-margin classifiers on points of the hypercube labeled by the majority of a few "
        r"coordinates, mean over data sets. The $\ell_2$ margin needs samples proportional to $d$, the $\ell_1$ margin fewer, "
        "and a number that grows far slower.",
    )


CLAIM = Claim(
    id="lyu2024/bounds_e_2",
    kind="theorem",
    title="Sample complexity of the two margins",
    says=r"On points of the hypercube labeled by the majority of $k$ coordinates the max-$\ell_1$-margin classifier has, with "
    r"probability $1 - \delta$, a test error of at most $4k\sqrt{2\log(2d)/n} + 3\sqrt{\log(2/\delta)/(2n)}$, and the "
    r"max-$\ell_2$-margin classifier one of at most $4\sqrt{kd/n}$ plus the same, by the Rademacher complexities of unit balls "
    r"and the margins $1/k$ and $1/\sqrt{k}$ of the ground truth: sample complexities like $\log d$ and like $d$.",
    source="lyu2024, theorems E.2 to E.5",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"level": 0.1, "risk": 0.05, "sparse": "l1", "dense": "l2"},
    least={"d": 2},
    aliases=("theorem_e_2", "theorem_e_3", "theorem_e_4", "theorem_e_5"),
    controls=[
        Control(
            "the two margins exchanged",
            changes={"sparse": "l2", "dense": "l1"},
            breaks=("l1_complexity", "margin", "l2_samples", "l1_samples"),
        )
    ],
    seconds={"quick": 15, "paper": 700},
)
