r"""1-SAM: gradients taken uphill move a fitted net to the sparse solution, in the slow time $\eta\rho^2\times$ steps."""

import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, near
from ...claims.drawing import SERIES, Axis, Drawing, Line, Panel, Rule
from ...claims.marks import log_axis
from ...dynamics import OneSAM
from ...lab import Param, Simulation
from .label_noise import final_loss, finest_over_coarsest, memorizes, on_curve, predict, recovers, shrinks
from .shared.readings import all_near, crossed
from .simulations.label_noise import PARAMS, RETURNS, compared, make_problem, noisy_curves, predicted_curves, step_counts


def simulate(key, problem, *, d, alpha, learning_rate, radius, span, moments, draws):
    r"""Losses of 1-SAM at $\eta\rho^2\,$steps up to `span`, beside the predicted drift."""
    pace = learning_rate * radius**2
    counts = step_counts(span / pace, moments)
    predicted = predicted_curves(problem, d=d, alpha=alpha, slow=counts * pace)
    keys = jr.split(jr.fold_in(key, 2), draws)

    def descent(key):
        return OneSAM(key, learning_rate=learning_rate, radius=radius)

    seen = noisy_curves(problem, descent, keys, d=d, alpha=alpha, counts=counts)
    # Where the net fits, samples have no gradient: nothing is added to the losses to first order.
    return compared(counts * pace, predicted, seen, 0.0)


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        *PARAMS,
        Param("learning_rate", (2e-3, 5e-4), (1e-3, 2.5e-4), smoke=(4e-3, 2e-3), low=1e-6, high=0.1, unit="learning rate"),
        Param("radius", (0.2, 0.1), (0.1, 0.05), smoke=(0.4, 0.2), low=1e-4, high=1.0, unit=r"ascent radius $\rho$"),
        Param("span", 0.55, low=0.01, high=10.0, unit=r"$\eta\rho^2\times$ steps at the end"),
    ],
    returns=RETURNS,
)


def judge(data, theory, learning_rate, radius, span, power) -> Evidence:
    """Half the loss: in how many steps, by learning rate and radius, and the predicted time; the whole curve; its end."""
    wide, fine = int(np.argmax(radius.values)), int(np.argmin(radius.values))
    last = {"learning_rate": int(np.argmin(learning_rate.values)), "radius": fine}
    half, expected = (part.isel(m=1) for part in (data.passes, data.predicted_passes))
    steps = (half / (learning_rate * radius**2)).median("trial")
    by_radius = np.log(steps.isel(radius=fine) / steps.isel(radius=wide)) / np.log(radius[wide] / radius[fine]).item()
    rise = np.log(learning_rate.max() / learning_rate.min()).item()
    by_step = np.log(finest_over_coarsest(steps, learning_rate)) / rise
    lead = finest_over_coarsest((1 - half / expected).median("trial").isel(radius=fine), learning_rate)
    off = (data.test - data.predicted).where(data.clock >= 0.01 * span).mean("trial").isel(last)
    at_once = r"fitted in $n/(\eta\cdot\mathrm{curvature})$ steps, of the $1/(\eta\rho^2)$ of the drift"
    return Evidence(
        sound=[recovers(theory), crossed(data, 1, why="times are read at these levels")],
        holds=[
            memorizes(data.memorization.isel(radius=fine), span, at_once),
            all_near(
                r"power of $1/\rho$ in the steps to half the loss",
                by_radius,
                power,
                0.2,
                key="radius",
                why=r"the rate of the drift is $\eta\rho^2$; the next order, $\rho$ over weights of 0.5, is 0.1 of the time",
            ),
            all_near(
                r"power of $1/\eta$ in the steps to half the loss",
                by_step,
                1,
                0.15,
                key="learning_rate",
                why=r"the rate of the drift is proportional to $\eta$; at the largest $\eta$ the net is ahead by up to a tenth "
                "of the time",
            ),
            near(
                r"time of half the loss over the prediction, smallest $\eta$ and $\rho$",
                (half / expected).median("trial").isel(last),
                1,
                0.1,
                key="time",
                why=r"fluctuating residuals speed the drift up by a fraction of $\eta\cdot\mathrm{curvature}$, here 0.06",
            ),
            shrinks("lead over the prediction", lead, 0.6, "lead", r"proportional to $\eta$: a quarter"),
            on_curve(off, 0.03, why="ahead by a twentieth of the time of half the loss, 0.01, on slopes of up to 3"),
            final_loss(data.test.isel(last).isel(t=-1), why="the sparse ground truth to 5%"),
        ],
    )


def draw(data, learning_rate, radius) -> Drawing:
    """One trial: losses against steps, and the same curves in slow time."""
    panels, settled = [], float(data.predicted.isel(trial=0, learning_rate=0, radius=0, t=0))
    pairs = [(learning_rate.values.max(), radius.values.max()), (learning_rate.values.min(), radius.values.min())]
    for title, unit in (("In steps", False), ("In slow time: one curve", True)):
        marks = []
        for at, (step, size) in enumerate(pairs):
            one = data.sel(learning_rate=step, radius=size).isel(trial=0, t=slice(1, None))
            x = (one.clock if unit else one.clock / (step * size**2)).values
            name = rf"population loss, $\eta = {step:g}$, $\rho = {size:g}$"
            marks.append(Line(name, x, one.test.values, role=SERIES[at]))
        expected = data.isel(trial=0, learning_rate=-1, radius=-1, t=slice(1, None))
        if unit:
            marks.append(Line("drift", expected.clock.values, expected.predicted.values, role="theory"))
        axes = Axis(r"$\eta\rho^2\times$ steps") if unit else log_axis("steps"), Axis("population loss", low=0.0, high=1.05)
        panels.append(Panel([*marks, Rule("limit of gradient flow", settled)], *axes, title=title))
    return Drawing(
        panels,
        caption=r"Gradients taken at a fixed radius $\rho$ uphill move a fitted net to flatter interpolants, at a rate of "
        r"$\eta\rho^2$: along the drift that label noise causes, without its fluctuations, to the sparse ground truth.",
    )


CLAIM = Claim(
    id="lyu2024/sharpness_aware",
    kind="statement",
    title="Grokking by sharpness-aware minimization",
    says=r"With the gradient of one sample taken a fixed radius $\rho$ uphill (1-SAM) a diagonal net fits at once and then "
    r"drifts to flatter interpolants: the population loss falls to that of the sparse ground truth after some $1/(\eta\rho^2)$ "
    "steps, along the curve that label noise follows.",
    source="lyu2024, appendix B.2",
    simulation=SIMULATION,
    predict=predict,
    judge=judge,
    draw=draw,
    constants={"power": 2.0},
    least={"learning_rate": 2, "radius": 2},
    controls=[Control("a rate proportional to the radius, not to its square", changes={"power": 1.0}, breaks=("radius",))],
    seconds={"quick": 15, "paper": 250},
)
