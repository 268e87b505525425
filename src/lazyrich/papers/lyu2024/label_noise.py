r"""Label noise: a net fits at once, and noise on the labels moves it to the sparse solution after some $1/\eta^2$ steps."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most, near
from ...claims.drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule
from ...claims.marks import log_axis
from ...lab import Param, Simulation
from .shared.readings import all_near
from .simulations.label_noise import NOISE, PARAMS, RETURNS, SIMULATION, make_problem, simulate

# The plateau in slow time: long after the fit, long before the drift shows.
PLATEAU = (0.002, 0.01)
POWERS = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        *PARAMS,
        NOISE,
        Param("learning_rate", (5e-3, 1.25e-3), (1e-3, 2.5e-4), smoke=(1e-2, 5e-3), low=1e-6, high=0.1, unit="learning rate"),
        Param("power", (1.25, 1.5, 1.75, 2.0), smoke=(1.5, 2.0), low=1.0, high=2.0, unit=r"$q$: $T/\eta^q$ steps"),
        # Long enough to fit; where q < 2 the drift is short, at q = 2 it has covered part of its path.
        Param("time", "=maximum(0.8*(power-1.75), 10**(2.5-2*power))", low=0.01, high=10.0, unit="$T$"),
        Param("span", "=time*learning_rate**(2-power)", low=1e-6, high=10.0, unit=r"$\eta^2\times$ steps at the end"),
    ],
    returns=RETURNS,
)


def predict(problem):
    r"""The limit of the drift: the minimum of $\sum_km_k|w_k|$ over interpolants, $m_k$ the mean square of input $k$."""
    from ...predictors import MinL1

    late = MinL1(weights=(problem.train.x**2).mean(0)).solve(problem.train)
    return {"late": late, "late_loss": np.sum((late.effective - np.asarray(problem.truth)) ** 2)}


def recovers(theory) -> Reading:
    """Whether theory itself predicts recovery on these data."""
    name, why = "population loss of the drift's limit, over that of zero", "with fewer samples theory itself predicts no recovery"
    return at_most(name, theory["late_loss"].max(), 1e-3, key="recovery", why=why)


def memorizes(memorization, span, why: str) -> Reading:
    """Whether the data are fitted long before the drift shows."""
    return at_most(
        "time to fit over the total time", (memorization / span).median("trial").max(), 0.01, key="memorization", why=why
    )


def on_curve(off, level, why: str) -> Reading:
    """How far the population loss is from the predicted curve."""
    name = "population loss minus the prediction, root mean square over time"
    return at_most(name, (off**2).mean("t") ** 0.5, level, key="curve", why=why)


def final_loss(last, why: str) -> Reading:
    """Whether the ground truth is found in the end."""
    return at_most("final population loss, median over trials", last.median("trial"), 0.05, key="final", why=why)


def finest_over_coarsest(part, learning_rate):
    """A quantity at the smallest learning rate over that at the largest."""
    first, last = int(np.argmax(learning_rate.values)), int(np.argmin(learning_rate.values))
    return part.isel(learning_rate=last) / part.isel(learning_rate=first)


def shrinks(name: str, ratio, most, key: str, why: str) -> Reading:
    """Whether a quantity falls with the learning rate, by its ratio between the smallest and the largest."""
    return at_most(rf"{name}, smallest $\eta$ over largest", ratio.max(), most, key=key, why=why)


def law(data, learning_rate, noise):
    """The predicted population loss: that of the drift, and what the noise adds to it."""
    return data.predicted + learning_rate * noise**2 * data.flutter


def judge(data, theory, learning_rate, noise, span) -> Evidence:
    """Fit at once, stay at the limit of the flow without noise, follow the drift, converge to the sparse solution."""
    finest = int(np.argmin(learning_rate.values))
    expected = law(data, learning_rate, noise)
    off = (data.test - expected).where(data.clock >= PLATEAU[0] * span).mean("trial").isel(learning_rate=finest)
    early = (data.clock >= PLATEAU[0] * span) & (data.clock <= PLATEAU[1] * span)
    plateau = (data.test.where(early).mean("t") / expected.where(early).mean("t")).mean("trial").isel(learning_rate=finest)
    second_order = r"$(\eta\cdot\mathrm{curvature})^2$, a tenth of a loss of 0.5; the noise of 16 runs is below half of that"
    return Evidence(
        sound=[recovers(theory)],
        holds=[
            memorizes(
                data.memorization,
                span,
                r"fitted in $n/(\eta\cdot\mathrm{curvature})$ steps, a few dozen, of the drift's $1/\eta^2$",
            ),
            near(
                "population loss once fitted, over the prediction",
                plateau,
                1,
                0.25,
                key="plateau",
                why=r"the limit of gradient flow, and the noise to first order in $\eta\cdot\mathrm{curvature}$, here 0.3 on a "
                "third of the loss; the rest is the noise of 16 runs",
            ),
            on_curve(off, 0.05, second_order),
            final_loss(
                data.test.isel(learning_rate=finest, t=-1),
                r"the sparse ground truth to 5%: the noise leaves $4\eta\|w\|_1$, less than 0.02",
            ),
            at_least(
                "population loss of the gradient flow's limit, median over trials",
                data.predicted.isel(learning_rate=finest, t=0).median("trial"),
                0.15,
                key="flow_limit",
                why="the kernel solution has a loss of $1 - n/d$, half of that of zero; an initialization this small somewhat "
                "less",
            ),
        ],
    )


def distances(data, learning_rate, noise):
    """Root mean squared distances at the end: from the flow's limit, from the drift, and the predictions of both."""
    end = data.isel(t=-1)
    flutter = learning_rate * noise**2 * end.flutter
    seen = {"settled": end.from_settled, "drift": end.from_drift}
    theory = {"settled": end.moved + flutter, "drift": flutter}
    return [{name: part.mean("trial") ** 0.5 for name, part in each.items()} for each in (seen, theory)]


def judge_powers(data, theory, learning_rate, noise, power, edge) -> Evidence:
    """Distances at the end against theory and between the first and the last learning rate; training and population loss."""
    seen, expected = distances(data, learning_rate, noise)
    before = [at for at, each in enumerate(power.values) if each < edge]
    held = seen["settled"].isel(power=before)
    off = (held / expected["settled"].isel(power=before)).isel(learning_rate=int(np.argmin(learning_rate.values)))
    losses = data.train.isel(t=-1).mean("trial").sel(power=power.max())
    drift, train = (finest_over_coarsest(part, learning_rate) for part in (seen["drift"], losses))
    return Evidence(
        sound=[recovers(theory)],
        holds=[
            at_least(
                "population loss of the gradient flow's limit, smallest over trials",
                data.predicted.isel(t=0).min(),
                0.02,
                key="flow_limit",
                why="a fraction of the squared ground truth: $1 - n/d = 0.5$ for a kernel, less for an initialization this small",
            ),
            shrinks(
                "distance from the flow's limit",
                finest_over_coarsest(held, learning_rate),
                0.75,
                key="limit_ratio",
                why=r"a drift like $\eta^{2-q}$ and fluctuations like $\eta^{1/2}$: a quarter of $\eta$ leaves 0.71 at "
                "$q = 1.75$, less for smaller $q$",
            ),
            all_near(
                r"distance from the flow's limit over the prediction, smallest $\eta$",
                off,
                1,
                0.25,
                key="limit_distance",
                why=r"first order in $\eta\cdot\mathrm{curvature}$, 0.16 here; the rest of the fit, $e^{-3}$ of its slowest part",
            ),
            shrinks(
                "distance from the drift", drift, 0.7, "drift_ratio", r"fluctuations like $\eta^{1/2}$: a quarter leaves a half"
            ),
            shrinks(r"training loss after $T/\eta^2$ steps", train, 0.4, "train", r"proportional to $\eta$: a quarter"),
            at_most(
                "population loss of the drift's limit",
                data.rest.max(),
                1e-3,
                key="final",
                why=r"the drift converges to the minimum weighted $\ell_1$ norm, the ground truth, at least like $e^{-8T}$",
            ),
        ],
    )


def draw(data, learning_rate, noise) -> Drawing:
    """One trial: losses against steps, and the same curves in slow time."""
    panels = []
    for title, unit in (("In steps: later for smaller learning rates", False), ("In slow time: one curve", True)):
        marks = []
        for at, each in enumerate(learning_rate.values):
            one = data.sel(learning_rate=each).isel(trial=0, t=slice(1, None))
            x = (one.clock if unit else one.clock / each**2).values
            marks.append(Line(rf"population loss, $\eta = {each:g}$", x, one.test.values, role=SERIES[at % 3]))
            if not unit and each == learning_rate.values.min():
                marks.append(Line(rf"training loss, $\eta = {each:g}$", x, one.train.values, role="control"))
            expected = law(data, learning_rate, noise).sel(learning_rate=each).isel(trial=0, t=slice(1, None))
            marks.append(Line(rf"theory, $\eta = {each:g}$", x, expected.values, role="theory"))
        settled = float(data.predicted.isel(trial=0, learning_rate=0, t=0))
        x = Axis(r"$\eta^2\times$ steps") if unit else log_axis("steps")
        y = Axis("loss", low=0.0, high=1.0) if unit else log_axis("loss", low=3e-3, high=2.0)
        panels.append(Panel([*marks, Rule("limit of gradient flow", settled)], x, y, title=title))
    return Drawing(
        panels,
        caption="Label noise moves a fitted net along its interpolants as weight decay would, with a strength proportional to "
        "the learning rate and to the mean square of each input: the loss may rise before it falls to that of the sparse ground "
        "truth. Dashed: the predicted drift and what the noise adds to it.",
    )


def draw_powers(data, learning_rate, noise, power) -> Drawing:
    """Both distances against the learning rate, for the smallest and the largest power, on theory's lines."""
    seen, expected = distances(data, learning_rate, noise)
    order = np.argsort(learning_rate.values)
    panels, x = [], learning_rate.values[order]
    for name, title in (("settled", "From the limit of gradient flow"), ("drift", "From the drift")):
        marks = []
        for each, role in zip((power.values.min(), power.values.max()), SERIES, strict=False):
            y, line = (part[name].sel(power=each).values[order] for part in (seen, expected))
            marks.append(Points(rf"after $T/\eta^{{{each:g}}}$ steps", x, y, role=role))
            marks.append(Line(f"theory, $q = {each:g}$", x, line, role="theory"))
        axes = log_axis(r"learning rate $\eta$"), log_axis("distance of the weights", low=0.05, high=1.0)
        panels.append(Panel(marks, *axes, title=title))
    return Drawing(
        panels,
        caption=r"After $T/\eta^q$ steps with $q < 2$ the net converges to the limit of gradient flow as $\eta \to 0$; after "
        r"$T/\eta^2$ it does not, but it converges to the drift along the interpolants, as at all earlier times. Root mean "
        "squares over trials.",
    )


CLAIMS = (
    Claim(
        id="lyu2024/label_noise",
        kind="figure",
        title="Grokking by label noise: flatter, hence sparser",
        says=r"With fresh noise on each label a diagonal net fits within some $1/\eta$ steps and then has the population loss "
        r"of the gradient flow's limit; after some $1/\eta^2$ steps it falls to that of the sparse ground truth, along a curve "
        r"in $\eta^2\times$ steps.",
        source="lyu2024, appendix B.2",
        simulation=SIMULATION,
        predict=predict,
        judge=judge,
        draw=draw,
        controls=[
            Control("a tenth of the noise over as many steps", {"noise": 0.1, "learning_rate": (5e-3,)}, breaks=("final",)),
        ],
        seconds={"quick": 15, "paper": 450},
    ),
    Claim(
        id="lyu2024/theorem_b_1",
        kind="theorem",
        title=r"Label noise leaves the flow's limit after $1/\eta^2$ steps",
        says=r"Gradient flow fits with a population loss proportional to that of zero. With label noise, after $T/\eta^q$ steps "
        r"with $1 < q < 2$ the net converges to the flow's limit as $\eta \to 0$; after $T/\eta^2$ it converges to an "
        r"interpolant that moves with $T$, whose population loss tends to 0 as $T \to \infty$.",
        source="lyu2024, theorem B.1",
        simulation=POWERS,
        predict=predict,
        judge=judge_powers,
        draw=draw_powers,
        constants={"edge": 2.0},
        sizes={"paper": {"trials": 4}},
        least={"learning_rate": 2},
        controls=[
            Control(r"the limit of gradient flow after $T/\eta^2$ steps, too", changes={"edge": 2.5}, breaks=("limit_ratio",))
        ],
        seconds={"quick": 15, "paper": 200},
    ),
)
