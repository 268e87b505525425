r"""Figures 13 to 24: subgradient, projected and proximal descent over the sparsity $s$ and the number of measurements $N$."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most
from ...claims.drawing import Axis, Drawing, Heat, Line, Panel, Points
from ...claims.marks import log_axis
from .shared.figure_claim import figure
from .shared.memorization import fitted, measurements_help, stable, within_bound
from .shared.phases import LATE, STEPS, agreement, at_fit, clear, clock, curve, enough, judged, predict, quartiles
from .shared.scaling import last_error
from .simulations.sparse_phases import SWEPT

METHODS = ("Subgradient", "Projected", "Proximal")


def at_once(data) -> Reading:
    """Projected descent fits the data with its first step."""
    steps = data.memorization.where(data.sampling_ratio < 1).max()
    return at_most("memorization time, maximum", steps, 1, key="first_step", why="it projects onto the interpolants")


def at_rest(data, theory, strength, level, reach, answer) -> Reading:
    """The final error compared to that of the predicted solution, where the slow flow has stopped."""
    still = clear(theory, strength, level) & (theory["extinction"] < LATE * reach) & (data.sampling_ratio < 1)
    return at_most(
        "final recovery error minus that of the predicted solution, maximum over converged runs",
        abs(last_error(data) - theory[answer]).where(still).max(),
        level,
        key="final_error",
        why=r"the slow flow ends at the minimum $\ell_1$ norm; bias and step size add a tenth of the level, or a few times that "
        "where this is not the ground truth",
    )


def region(data) -> Reading:
    """Sparser vectors are recovered from fewer measurements."""
    found = (data.generalization < np.inf).mean([axis for axis in data.generalization.dims if axis != "sparsity"])
    return at_least(
        "fraction of runs that recover the ground truth, sparsest minus densest",
        found.isel(sparsity=0) - found.isel(sparsity=-1),
        0.1,
        key="sparser_is_easier",
        why="the number of measurements needed grows with the sparsity",
    )


def judge(data, theory, learning_rate, strength, level, reach, d, answer, power, *, method: str, kind: str) -> Evidence:
    """The readings of one kind of figure, over the trials that the slow flow recovers in time."""
    good = judged(theory, strength=strength, level=level, reach=reach) & (data.sampling_ratio < 1)
    steps, bound = fitted(data, learning_rate=learning_rate, strength=strength, d=d)
    known = {"strength": strength, "level": level, "reach": reach, "answer": answer}
    in_time = clock(data, theory, good, learning_rate=learning_rate, strength=strength, power=power)
    holds = {
        "curves": lambda: [at_fit(data, theory, good), in_time, agreement(data, theory, **known)],
        "fit": lambda: [
            *([at_once(data)] if method == "Projected" else within_bound((steps / bound).where(data.sampling_ratio < 1))),
            at_rest(data, theory, **known),
        ],
        "times": lambda: [in_time, *along(data.generalization.where(good))],
        "map": lambda: [agreement(data, theory, **known), at_rest(data, theory, **known), region(data)],
    }
    sound = [enough(good)] if method == "Projected" else [stable(data, learning_rate), enough(good)]
    return Evidence(sound=sound, holds=holds[kind]())


def along(steps) -> list[Reading]:
    """How the recovery time changes with measurements and sparsity."""
    name, ratio = "log of the recovery time over that of a sparser ground truth, median", steps / steps.shift(sparsity=1)
    why = r"the distance to the ground truth grows like $\sqrt{s}$, and fewer directions are left free"
    return [measurements_help(steps), at_least(name, np.log(ratio).median(), 0, key="sparsity_speeds_up", why=why)]


def draw_curves(data, d, *, method: str) -> Drawing:
    """Errors of one trial over time: recovery above, training below, a column for each sparsity, a line for each N."""
    panels = []
    some = np.unique(np.linspace(0, data.sampling_ratio.size - 1, min(5, data.sampling_ratio.size)).astype(int))
    for name, label in (("recovery", "recovery error"), ("train", "training error")):
        exact = name == "train" and method == "Projected"
        y = log_axis(label, **({"low": 1e-17, "high": 1.0} if exact else {}))
        for sparsity in data.sparsity.values:
            runs = [data.sel(sparsity=sparsity).isel(trial=0, sampling_ratio=at) for at in some]
            lines = [curve(f"$N$ = {round(float(run.sampling_ratio) * d)}", run.step, run[name]) for run in runs]
            panels.append(Panel(lines, STEPS, y, title=f"$s$ = {int(sparsity)}"))
    return Drawing(
        panels,
        columns=data.sparsity.size,
        caption=rf"{method} descent with a small $\ell_1$ penalty, one trial. Top: the ground truth is recovered late, sooner "
        "with more measurements, or never with too few. Bottom: the data are always fitted early.",
    )


def draw_fit(data, theory, learning_rate, strength, d, *, method: str) -> Drawing:
    """Steps to memorization above, the final error below, a column for each sparsity."""
    n, exact = np.round(data.sampling_ratio.values * d), method == "Projected"
    steps, bound = fitted(data, learning_rate=learning_rate, strength=strength, d=d)
    last, predicted = last_error(data), np.maximum(theory["recovery_error"], 0.0 if exact else strength * theory["bias"])
    x, above, below = Axis("measurements $N$", low=0, high=float(n.max()) + 1), [], []
    for sparsity in data.sparsity.values:
        steps_of, bound_of, last_of, predicted_of = (a.sel(sparsity=sparsity) for a in (steps, bound, last, predicted))
        limit = Line("bound", n, bound_of.median("trial").values, role="theory")
        marks = [quartiles("descent", n, steps_of), *([] if exact else [limit])]
        title = f"$s$ = {int(sparsity)}"
        above.append(Panel(marks, x, log_axis("memorization time (steps)", low=0.5), title=title))
        theirs = predicted_of.median("trial").clip(1e-6, None).values
        marks = [Points("descent", n, last_of.median("trial").values), Line("theory", n, theirs, role="theory")]
        below.append(Panel(marks, x, log_axis("final recovery error", low=5e-7, high=2.0), title=title))
    memorization = ": the first step" if exact else ", and the bound of theorem C.8"
    floor = ", shown from $10^{-6}$ on" if exact else " or of the penalty's bias"
    return Drawing(
        [*above, *below],
        columns=len(above),
        caption=f"{method} descent, medians over trials. Top: steps until close to the least-squares solution in the row "
        rf"space{memorization}. Bottom: the final error, and that of the minimum-$\ell_1$-norm interpolant{floor}.",
    )


def draw_times(data, theory, learning_rate, strength, d, *, method: str) -> Drawing:
    """Steps until recovery against measurements, beside the slow flow's, a panel for each sparsity."""
    n, panels = np.round(data.sampling_ratio.values * d), []
    x, y = Axis("measurements $N$", low=0, high=float(n.max()) + 1), log_axis("recovery time (steps)")
    for sparsity in data.sparsity.values:
        seen = data.generalization.sel(sparsity=sparsity)
        predicted = (theory["generalization"].sel(sparsity=sparsity) / (learning_rate * strength)).where(seen < np.inf)
        middle = quartiles("slow flow", n, predicted)
        marks = [quartiles("descent", n, seen), Line("slow flow", middle.x, middle.y, role="theory")]
        panels.append(Panel(marks, x, y, title=f"$s$ = {int(sparsity)}"))
    return Drawing(
        panels,
        columns=len(panels),
        caption=f"{method} descent, medians over the trials recovered by the horizon, bars to the quartiles, and the slow flow's "
        r"time divided by $\alpha\beta_1$.",
    )


def draw_map(data, theory, d, *, method: str) -> Drawing:
    r"""The final recovery error over sparsity and measurements, beside that of the minimum $\ell_1$ norm."""
    n, s = np.round(data.sampling_ratio.values * d), data.sparsity.values
    both = {f"{method} descent": last_error(data), r"Minimum $\ell_1$ norm": theory["recovery_error"].clip(1e-6, None)}
    panels = []
    for title, part in both.items():
        values = part.median("trial").transpose("sparsity", "sampling_ratio").values
        heat = Heat("recovery error", n, s, values, scale="log", low=1e-5, high=1.0)
        panels.append(Panel([heat], Axis("measurements $N$"), Axis("sparsity $s$"), title=title))
    return Drawing(
        panels,
        caption="Relative recovery errors, medians over trials: what descent reaches by the horizon, and what the "
        r"minimum-$\ell_1$-norm interpolant gives without any training.",
    )


LOST = " (caption missing in our copy: from the surrounding text)"
BOUND = "fits the data within the number of steps of theorem C.8 (in the row space)"
FIT = {"Subgradient": BOUND, "Projected": "fits the data with its first step", "Proximal": BOUND}
KINDS = {
    "curves": (draw_curves, "", {}, "memorization first, recovery later", "recovered_iff_predicted"),
    "fit": (draw_fit, "", {}, "memorization time and final error", "final_error"),
    "times": (draw_times, LOST, {"sampling_ratio": 2, "sparsity": 2}, "recovery time", "recovery_time"),
    "map": (draw_map, LOST, {"sparsity": 2}, "which vectors are recovered", "recovered_iff_predicted final_error"),
}
SAYS = {
    "curves": r"with a small $\ell_1$ penalty first fits the data by the least-squares solution $\hat b$, and recovers $b^*$ "
    r"after the time of the slow flow if and only if $b^*$ has the minimum $\ell_1$ norm of all interpolants, for every sparsity "
    "$s$ and number of measurements $N$.",
    "fit": r"and ends at the recovery error of the minimum-$\ell_1$-norm interpolant: zero if measurements are many, else large.",
    "times": r"recovers $b^*$ in the slow flow's time over $\alpha\beta_1$: sooner with more measurements, later for larger $s$.",
    "map": r"recovers the vectors that have the minimum $\ell_1$ norm of all interpolants, and has the error of that interpolant "
    "elsewhere; the number of measurements needed grows with $s$.",
}


def claim(number: int, method: str, kind: str) -> Claim:
    """One of the twelve figures."""
    draw, note, least, title, broken = KINDS[kind]
    strength = "the square root of the strength instead of the strength", {"power": 0.5}
    solution = "least squares as the predicted solution", {"answer": "least_squares"}
    return figure(
        number,
        f"{method} descent: {title}",
        f"{method} descent {FIT[method] + ', ' if kind == 'fit' else ''}{SAYS[kind]}",
        partial(judge, method=method, kind=kind),
        partial(draw, method=method),
        note=note,
        simulation=SWEPT[method.lower()],
        predict=predict,
        constants={"answer": "recovery_error", "power": 1.0},
        least=least,
        controls=[Control(*(strength if kind == "times" else solution), broken.split())],
        seconds={"quick": 15, "paper": 240} if method == "Projected" else {"quick": 12, "paper": 110},
    )


CLAIMS = tuple(claim(13 + 4 * at + part, method, kind) for at, method in enumerate(METHODS) for part, kind in enumerate(KINDS))
