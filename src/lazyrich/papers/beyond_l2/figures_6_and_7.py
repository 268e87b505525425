r"""Figures 6 and 7: how many measurements the minimum $\ell_1$ norm needs, by sparsity $s$ and coherence $\tau$."""

import math
from bisect import bisect_left
from functools import partial

import numpy as np

from ...claims.axes import along, side_by_side
from ...claims.base import Control, Evidence, Reading, at_least, at_most
from ...claims.drawing import SERIES, Axis, Drawing, Event, Heat, Line, Panel, Points
from ...claims.marks import log_axis, one_panel
from ...numerics.statistical_dimension import l1_dimension
from .shared.figure_claim import figure
from .shared.limits import SAME
from .simulations.few_rows import BASELINE, trimmed

X = Axis("measurements $N$")
SHARP = r"the transition has a width of about $\sqrt{n}$ measurements"


def predict(problem, n, coherence):
    r"""The minimum-$\ell_1$-norm interpolant: its relative recovery error, and whether it is certified."""
    from ...predictors import MinL1

    few = trimmed(problem, int(n), coherence)
    theory = MinL1().solve(few.train)
    truth = np.asarray(few.truth)
    return {"error": np.linalg.norm(theory.effective - truth) / np.linalg.norm(truth), "certified": float(theory.ok)}


def needed(error):
    """The number of measurements that recovers the ground truth in half of the trials, by linear interpolation."""
    found = (error < SAME).mean("trial").transpose(..., "n")
    counts = found.n.values
    # The fraction recovered is not monotone: the number needed is where it rises above a half for good.
    least = np.minimum.accumulate(found.values[..., ::-1], axis=-1)[..., ::-1]

    def crossing(fractions):
        at = int(np.argmax(fractions >= 0.5))
        pair = slice(max(at - 1, 0), at + 1)
        return np.interp(0.5, fractions[pair], counts[pair]) if fractions[at] >= 0.5 else np.inf

    return found.isel(n=0, drop=True).copy(data=np.apply_along_axis(crossing, -1, least))


def dimension(d, sparsity):
    """The statistical dimension for each sparsity."""
    return along([d * l1_dimension(float(s) / d) for s in np.atleast_1d(sparsity)], "sparsity", np.atleast_1d(sparsity))


def law(d, sparsity, coherence):
    """The number of measurements that recovers half of the trials, for each sparsity and each coherence."""
    sizes, taus = np.atleast_1d(sparsity), np.atleast_1d(coherence)
    rows = [along([_half(d, int(s), float(tau)) for s in sizes], "sparsity", sizes) for tau in taus]
    return side_by_side(rows, "coherence").assign_coords(coherence=taus)


def _half(d: int, sparsity: int, coherence: int | float) -> int:
    """The smallest number of rows that recovers half of the trials: more rows recover more, and d rows recover all."""
    return 1 + bisect_left(range(1, d), 0.5, key=lambda n: _found(n, d, sparsity, coherence))


def _found(n: int, d: int, sparsity: int, coherence: int | float) -> float:
    """The fraction of trials in which the Gaussian rows suffice for the nonzero entries that no coordinate row reads.

    Their number has a hypergeometric law, and they are to be recovered among the unknowns that no coordinate row reads.
    """
    plain = math.floor(coherence * n + 1e-9)
    left = d - plain
    most = min(sparsity, left)
    # The statistical dimension grows with the sparsity: the first that is too large ends the sum.
    enough = 1 + bisect_left(range(1, most + 1), True, key=lambda k: left * l1_dimension(k / left) > n - plain)
    return sum(math.comb(left, k) * math.comb(plain, sparsity - k) for k in range(enough)) / math.comb(d, sparsity)


def certified(theory) -> Reading:
    """That the interpolants are certified."""
    why = "only certified interpolants are compared with the ground truth"
    return at_least("fraction of certified references", theory["certified"].mean(), 1, key="certified", why=why)


def judge_sparsity(data, theory, d, sparsity, shown) -> Evidence:
    """Where half of the trials are recovered, compared to the statistical dimension; and the width of the transition."""
    error = theory["error"] if shown == "l1" else data.least_squares
    half = needed(error).isel(coherence=0)
    expected = dimension(d, sparsity)
    few, many = (error.where(mask) for mask in (error.n < expected - 0.15 * d, error.n > expected + 0.15 * d))
    return Evidence(
        sound=[certified(theory)],
        holds=[
            at_most(
                "measurements needed by half of the trials minus the statistical dimension, over $n$, maximum",
                abs(half - expected).max() / d,
                0.08,
                key="transition",
                why=r"most of its width $\sqrt{n}$, a tenth of $n$: eight trials, steps of six, maximum over sparsities",
            ),
            at_least(
                "increase of the measurements needed from one sparsity to the next, minimum",
                half.clip(max=d).sortby("sparsity").diff("sparsity").min(),
                1,
                key="grows_with_sparsity",
                why="the paper: less sparse vectors need more measurements",
            ),
            at_least("fraction recovered $0.15n$ above the transition", _recovered(many), 0.9, key="above", why=SHARP),
            at_most("fraction recovered $0.15n$ below the transition", _recovered(few), 0.1, key="below", why=SHARP),
        ],
    )


def _recovered(error):
    """The fraction of errors that are zero up to solver tolerance; NaN does not count."""
    return (error < SAME).sum() / error.notnull().sum()


def draw_sparsity(data, theory, d, sparsity) -> Drawing:
    """The median error against the number of measurements, a line for each sparsity, and the predicted transitions."""
    error = np.maximum(theory["error"].isel(coherence=0).median("trial"), 1e-17)
    marks = []
    for role, s in drawn(sparsity):
        marks.append(Line(f"$s$ = {s}", data.n.values, error.sel(sparsity=s).values, role=role))
        marks.append(Event(f"theory, $s$ = {s}", float(dimension(d, s)[0]), role=role))
    square = data.least_squares.isel(coherence=0, sparsity=0).median("trial").values
    return one_panel(
        [*marks, Line("least squares", data.n.values, square, role="theory")],
        X,
        log_axis("recovery error", low=1e-17, high=10.0),
        caption=rf"Medians over trials, $n$ = {d} unknowns. The minimum-$\ell_1$-norm interpolant is the ground truth, up to "
        "rounding error, from the predicted number of measurements on; least squares needs as many as there are unknowns.",
    )


def drawn(sparsity):
    """The sparsities that are drawn, with their roles: at most as many as there are roles."""
    return list(zip(SERIES, map(int, sparsity.values[:: max(1, sparsity.size // 3)]), strict=False))


def judge_coherence(data, theory, d, sparsity, coherence, felt) -> Evidence:
    """Where half of the trials are recovered, compared to theory; and that this number grows with the coherence."""
    half = needed(theory["error"]).clip(max=d)
    expected = law(d, sparsity, felt * coherence.values).assign_coords(coherence=coherence.values)
    return Evidence(
        sound=[certified(theory)],
        holds=[
            at_most(
                "measurements needed by half of the trials minus the predicted number, over $n$, mean absolute value",
                abs(half - expected).mean() / d,
                0.1,
                key="transition",
                why=r"a tenth is the width of the transition at $\tau=0$; at $\tau=0.9$ ten measurements have one Gaussian row",
            ),
            at_least(
                "increase of the measurements needed from one coherence to the next, mean over sparsities, minimum",
                half.sortby("coherence").mean("sparsity").diff("coherence").min(),
                1,
                key="grows_with_coherence",
                why="the paper: more coherence needs more measurements; theory predicts ten more here",
            ),
        ],
    )


def draw_coherence(data, theory, d, sparsity, coherence) -> Drawing:
    """The median error over measurements and sparsity, over measurements and coherence, and the predicted transition."""
    error = np.log10(np.maximum(theory["error"].median("trial"), 1e-16))
    half, middle, fine = needed(theory["error"]), sparsity.values[sparsity.size // 2], np.linspace(0, 1, 21)
    expected, lines = law(d, sparsity, fine), []
    for role, s in drawn(sparsity):
        lines.append(Points(f"$s$ = {s}", coherence.values, half.sel(sparsity=s).values, role=role))
        lines.append(Line(f"theory, $s$ = {s}", fine, expected.sel(sparsity=s).values, role=role))

    def heat(values, axis, label, title) -> Panel:
        shown = values.transpose(axis, "n")
        mark = Heat(r"$\log_{10}$ of the error", data.n.values, shown[axis].values, shown.values, low=-16.0, high=0.0)
        return Panel([mark], X, label, title=title)

    tau = Axis(r"coherence $\tau$")
    return Drawing(
        [
            heat(error.isel(coherence=0), "sparsity", Axis("sparsity $s$"), "Gaussian rows only"),
            heat(error.sel(sparsity=middle), "coherence", tau, f"$s$ = {int(middle)}"),
            Panel(lines, tau, Axis("measurements needed", low=0.0), title="Half of the trials"),
        ],
        columns=3,
        caption=rf"Minimum-$\ell_1$-norm interpolants, $n$ = {d} unknowns, medians over trials. Coordinate rows give no "
        "information on other entries: the remaining Gaussian rows must determine the entries that no row reads.",
    )


LEAST = {"n": 3, "sparsity": 2}
baseline = partial(figure, simulation=BASELINE, predict=predict)
CLAIMS = (
    baseline(
        6,
        "How many measurements a sparse vector needs",
        r"The minimum-$\ell_1$-norm interpolant of $N$ random measurements is the ground truth in most trials once $N$ "
        r"exceeds the statistical dimension of the descent cone of the $\ell_1$ norm, which grows with the sparsity $s$.",
        judge_sparsity,
        draw_sparsity,
        constants={"shown": "l1"},
        sizes={size: {"coherence": (0.0,)} for size in ("smoke", "quick", "paper")},
        least=LEAST,
        controls=[Control(r"the minimum-$\ell_2$-norm interpolant", {"shown": "l2"}, ("transition", "above"))],
        seconds={"quick": 10, "paper": 120},
    ),
    baseline(
        7,
        "Coherent measurements: more of them are needed",
        r"If a fraction $\tau$ of $N$ measurements reads one entry each, the minimum-$\ell_1$-norm interpolant is the "
        "ground truth once the others exceed the statistical dimension of the entries not read: the number needed grows with the "
        r"sparsity $s$ and with $\tau$, up to $2^{-1/s}n$ for half of the trials at $\tau=1$.",
        judge_coherence,
        draw_coherence,
        constants={"felt": 1.0},
        least={**LEAST, "coherence": 2},
        controls=[Control("a prediction without the coherence", {"felt": 0.0}, ("transition",))],
        seconds={"quick": 20, "paper": 600},
    ),
)
