"""Widths of transitions: sharp in time under weight decay, in the logarithm of time alone under label noise."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Panel, Points
from ...claims.labelled import last_power, spread
from ...claims.marks import log_axis, power_law
from .label_noise import finest_over_coarsest
from .shared.readings import crossed
from .simulations.label_noise import LEVELS, SIMULATION, decay_passages

# Logarithms of the initialization scales under weight decay.
SCALES = (4.0, 8.0, 16.0)


def predict(problem):
    """When the loss crosses its levels under vanishing weight decay: level after level, scale after scale."""
    import jax.numpy as jnp

    return {"weight_decay": np.asarray(decay_passages(problem, jnp.array(SCALES))).ravel()}


def under_decay(theory):
    r"""The width from the first to the last level, and the middle, in units of $1/\lambda$, for each trial and scale."""
    import xarray as xr

    times = theory["weight_decay"].values.reshape(-1, len(SCALES), len(LEVELS))
    over = {"dims": ("trial", "log_alpha"), "coords": {"log_alpha": list(SCALES)}}
    return xr.DataArray(times[..., -1] - times[..., 0], **over), xr.DataArray(times[..., 1], **over)


def under_noise(passes):
    """The width over the middle in time, and the width in the logarithm of time."""
    early, middle, late = (passes.isel(m=at) for at in range(len(LEVELS)))
    return (late - early) / middle, np.log(late / early)


def judge(data, theory, learning_rate, power) -> Evidence:
    """How the width over the middle falls with the scale under weight decay, and that it stays constant under noise."""
    width, middle = under_decay(theory)
    fraction = (width / middle).median("trial")
    finest = int(np.argmin(learning_rate.values))
    plain, logs = (part.median("trial") for part in under_noise(data.passes))
    expected = under_noise(data.predicted_passes)[1].median("trial")
    return Evidence(
        sound=[crossed(data, 1, why="a width needs both ends")],
        holds=[
            near(
                r"weight decay: power of $\log\alpha$ at which the width over the middle falls",
                last_power(fraction, "log_alpha"),
                power,
                0.25,
                key="power",
                why=r"a constant width over a middle of $\log\alpha + C$, with $C$ of the data and of order 1: $C/8$ at the "
                "last scales",
            ),
            at_most(
                "weight decay: range of the width over the scales, relative",
                (spread(width, "log_alpha") / width.mean("log_alpha")).max(),
                1e-2,
                key="width",
                why=r"the kernel regime forgets its initialization like $\alpha^{-2}$, 3e-4 at the smallest scale; the rest is "
                "the grid of times",
            ),
            near(
                r"label noise: width over middle at the smallest $\eta$, over that at the largest",
                finest_over_coarsest(plain, learning_rate),
                1,
                0.35,
                key="noise_width",
                why=r"times on one curve in $\eta^2\times$ steps; each crossing of a few noisy runs has an error of some 10%",
            ),
            near(
                r"label noise: width in $\log t$ at the smallest $\eta$, minus the prediction",
                (logs - expected).isel(learning_rate=finest),
                0,
                0.35,
                key="log_width",
                why=r"a constant ratio of times while $\log t$ grows like $2\log(1/\eta)$; each crossing has an error of 10%",
            ),
            at_least(
                "width over middle, label noise over weight decay at the largest scale",
                plain.isel(learning_rate=finest) / fraction.isel(log_alpha=-1),
                4,
                key="ratio",
                why=r"of order 1 against $1/\log\alpha = 1/16$",
            ),
        ],
    )


def draw(data, theory, learning_rate) -> Drawing:
    """Width over middle against what should make it sharp: the scale under weight decay, the learning rate under noise."""
    width, middle = under_decay(theory)
    fraction = (width / middle).median("trial")
    plain, logs = under_noise(data.passes)
    size = 2 * np.log(1 / learning_rate.values)
    in_log = (logs / np.log(data.passes.isel(m=1) / learning_rate**2)).median("trial").values
    points = Points("width over middle, in $t$", SCALES, fraction.values)
    decay, label = [points, power_law(r"$1/\log\alpha$", [points], -1)], "width over middle"
    noise = [
        Points("width over middle, in $t$", size, plain.median("trial").values),
        Points(r"width over middle, in $\log t$", size, in_log, role="second"),
    ]
    x, y = Axis(r"$2\log(1/\eta)$"), Axis(label, low=0.0, high=1.6)
    return Drawing(
        [
            Panel(decay, log_axis(r"$\log\alpha$"), log_axis(label), title="Weight decay: sharp in $t$"),
            Panel(noise, x, y, title=r"Label noise: sharp in $\log t$ alone"),
        ],
        caption="From 80% to 20% of the population loss of the fitted net, over the time of 50%; median over trials. Under "
        r"weight decay the width is a constant beside $\log\alpha$; under label noise width and middle are both multiples of "
        r"$1/\eta^2$.",
    )


CLAIM = Claim(
    id="lyu2024/transition_widths",
    kind="statement",
    title="Under weight decay the transition is sharp in time, under label noise in log time alone",
    says=r"Under weight decay the width of the transition over its time falls like $1/\log\alpha$. Under label noise both are "
    r"proportional to $1/\eta^2$: their ratio stays constant as $\eta \to 0$, and only in $\log t$ does the transition become "
    "sharp.",
    source="lyu2024, appendix B.2",
    simulation=SIMULATION,
    predict=predict,
    judge=judge,
    draw=draw,
    constants={"power": 1.0},
    least={"learning_rate": 2},
    controls=[
        Control(r"weight decay no sharper than label noise: a width proportional to $\log\alpha$", {"power": 0.0}, ("power",)),
    ],
    seconds={"quick": 15, "paper": 450},
)
