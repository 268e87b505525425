r"""Widths of transitions: under decay sharp in time, under label noise in the logarithm of time alone."""

import numpy as np

from ...lab.settings.label_noise import LEVELS, SIMULATION, decay_passages
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Panel, Points, Slope
from ..labelled import last_power

# Logarithms of the scales from which the decay is followed.
SCALES = (4.0, 8.0, 16.0)


def refer(problem):
    """When the loss passes its levels under a vanishing decay: level after level, scale after scale."""
    import jax.numpy as jnp

    return {"decay": np.asarray(decay_passages(problem, jnp.array(SCALES))).ravel()}


def under_decay(told):
    """The width from the first to the last level, and the middle, in units of 1/decay, for each draw and scale."""
    import xarray as xr

    times = told["decay"].values.reshape(-1, len(SCALES), len(LEVELS))
    over = {"dims": ("trial", "log_alpha"), "coords": {"log_alpha": list(SCALES)}}
    return xr.DataArray(times[..., -1] - times[..., 0], **over), xr.DataArray(times[..., 1], **over)


def under_noise(passes):
    """The width over the middle in time, and the width in the logarithm of time."""
    early, middle, late = (passes.isel(m=at) for at in range(len(LEVELS)))
    return (late - early) / middle, np.log(late / early)


def judge(data, told, rate, power) -> Evidence:
    """How the width over the middle falls with the scale under decay, and that it stays under noise."""
    width, middle = under_decay(told)
    share = (width / middle).median("trial")
    first, last = int(np.argmax(rate.values)), int(np.argmin(rate.values))
    plain, logs = (part.median("trial") for part in under_noise(data.passes))
    theory = under_noise(data.told_passes)[1].median("trial")
    return Evidence(
        sound=[
            at_least(
                "share of runs that pass every level",
                (data.passes < np.inf).all("m").mean(),
                1,
                why="a width needs both of its ends",
            )
        ],
        holds=[
            near(
                "power of log(alpha) at which width over middle falls, decay",
                last_power(share, "log_alpha"),
                power,
                0.25,
                why="a constant width over a middle of log(alpha) + C, with C of the data and of order 1: C/8 at the last scales",
            ),
            at_most(
                "spread of the width over the scales, relative, decay",
                ((width.max("log_alpha") - width.min("log_alpha")) / width.mean("log_alpha")).max(),
                1e-2,
                why="the kernel phase forgets its start like alpha^-2, 3e-4 at the smallest scale; the rest is the grid of times",
            ),
            near(
                "width over middle at the last rate, over that at the first, noise",
                plain.isel(rate=last) / plain.isel(rate=first),
                1,
                0.35,
                why="times of one curve of rate^2 x steps; each passage of a few noisy runs is some 10% off",
            ),
            near(
                "width in log t at the last rate, less that of theory, noise",
                logs.isel(rate=last) - theory.isel(rate=last),
                0,
                0.35,
                why="a ratio of times that stays while log t grows like 2 log(1/rate); each passage is some 10% off",
            ),
            at_least(
                "width over middle, noise over decay at the largest scale",
                plain.isel(rate=last) / share.isel(log_alpha=-1),
                4,
                why="of order 1 against 1/log(alpha) = 1/16",
            ),
        ],
    )


def draw(data, told, rate) -> Drawing:
    """Width over middle against what should make it sharp: the scale under decay, the rate under noise."""
    width, middle = under_decay(told)
    share = (width / middle).median("trial")
    plain, logs = under_noise(data.passes)
    size = 2 * np.log(1 / rate.values)
    top = (SCALES[-1], float(share.isel(log_alpha=-1)))
    left = Panel(
        [
            Points("width over middle, in t", SCALES, share.values),
            Slope("1/log(alpha)", [SCALES[0], SCALES[-1]], top, -1),
        ],
        x=Axis("log(alpha)", scale="log"),
        y=Axis("width over middle", scale="log"),
        title="Decay: sharp in t",
    )
    in_log = (logs / np.log(data.passes.isel(m=1) / rate**2)).median("trial").values
    right = Panel(
        [
            Points("width over middle, in t", size, plain.median("trial").values),
            Points("width over middle, in log t", size, in_log, role="second"),
        ],
        x=Axis("2 log(1/rate)"),
        y=Axis("width over middle", low=0.0, high=1.6),
        title="Label noise: sharp in log t alone",
    )
    return Drawing(
        panels=[left, right],
        caption="From 80% to 20% of the population loss of the fitted net, over the time of 50%; the median over draws. Under "
        "decay the width is a constant beside log(alpha); under label noise width and middle both are multiples of 1/rate^2.",
    )


CLAIM = Claim(
    kind="statement",
    title="Decay is sharp in time, label noise only in log time",
    says="Under decay the transition's width over its time falls like 1/log(alpha). Under label noise both are in proportion to "
    "1/rate^2: their ratio stays as the rate falls, and only in the logarithm of time does the transition become sharp.",
    source="lyu2024, appendix B.2",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"power": 1.0},
    least={"rate": 2},
    control=Control(
        "decay no sharper than label noise: a width in proportion to log(alpha)",
        changes={"power": 0.0},
        breaks=("power of log(alpha) at which width over middle falls, decay",),
    ),
    seconds={"quick": 15, "paper": 450},
)
