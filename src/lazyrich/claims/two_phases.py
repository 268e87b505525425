r"""The two phases of any homogeneous model, one of the user's too: kernel first, a KKT point of least norm last."""

from dataclasses import replace
from typing import Any

import numpy as np

from ...lab.settings.two_phases import CLOCK, SIMULATION, STEP, of_model
from ...problems import Split
from ..base import Claim, Control, Evidence, Reading, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Event, Line, Mark, Panel, Points

MOVE = "move of the transition between decays less that of margins^(-1/D), over 1/q - 1/q', the median draw"
NETS = ("quadratic net", "squared ReLU")


def refer(problem) -> dict[str, Any]:
    """The kernel's classifier of largest margin."""
    from ...predictors import KernelMaxMargin

    return {"kernel": KernelMaxMargin(problem.start).solve(problem.train)}


def hypotheses(least_degree, largest_degree, before) -> list[Reading]:
    """What the theorems assume, as readings of the instrument: where it does not hold nothing is refuted."""
    return [
        near(
            "largest measured degree of homogeneity, beside the least",
            largest_degree,
            least_degree,
            1e-6,
            why="the theorems are of homogeneous models: one degree for every input and every factor",
        ),
        at_least(
            "least measured degree of homogeneity",
            least_degree,
            2 - 1e-6,
            why="a second derivative at every scale; at degree 1 features never move, and the kernel's phase has no end",
        ),
        at_most(
            "largest output of the start, over its longest gradient",
            before,
            1e-9,
            why="the theorems are of starts of output zero",
        ),
    ]


def away(data, told):
    """1 - cosine between what was added to the start and the kernel's direction of largest margin."""
    kernel = told["kernel"]
    share = abs(kernel.effective).rename(d="n")
    return 1 - (share * data.linear).sum("n", skipna=False) / (data.length * kernel.value)


def apart(data, late):
    """The largest difference between scales over the largest number, where the next scale is read `late` readings later."""
    through = data.isel(t=slice(1, -1))
    count = through.sizes["t"] - late * (through.sizes["log_alpha"] - 1)
    differences = []
    for part in (through.margins, through.linear):
        scales = [
            part.isel(log_alpha=at, t=slice(late * at, late * at + count)) for at in range(part.sizes["log_alpha"])
        ]
        differences += [abs(other - scales[0]).max() / abs(part).max() for other in scales[1:]]
    return max(float(one) for one in differences)


def crossed(gone, margins):
    """Where on the clock half of the last distance from the kernel's direction is reached, and the least margin then."""
    import xarray as xr

    def cross(curve, least):
        level = curve[-1] / 2
        at = int(np.argmax(curve >= level))
        if at == 0 or not np.isfinite(curve).all():
            return np.nan, np.nan
        share = (level - curve[at - 1]) / (curve[at] - curve[at - 1])
        return tuple(part[at - 1] + share * (part[at] - part[at - 1]) for part in (np.array(CLOCK), least))

    return xr.apply_ufunc(
        cross, gone, margins, input_core_dims=[["t"], ["t"]], output_core_dims=[[], []], vectorize=True
    )


def offset(data, told, roots):
    r"""How far the transition moves on the clock from the first decay to the last, less $-\frac1D\log(q'/q)$, over $1/q-1/q'$.

    The kernel's phase ends where the turn $h\rho^{-D}$ is of order one, $h$ in proportion to the margin $q$. Where `roots` is 0
    the power is one in place of $1/D$.
    """
    when, margin = crossed(away(data, told), data.margins.min("n", skipna=False))
    first, last = ({"decay": at} for at in (0, -1))
    moved = when.isel(last) - when.isel(first)
    said = -np.log(margin.isel(last) / margin.isel(first)) / data.least_degree.isel(first) ** roots
    return abs(moved - said) / (1 / margin.isel(first) - 1 / margin.isel(last))


def judge(data, told, n, early, last, late, roots) -> Evidence:
    """The kernel's direction before, one curve for all scales between, a stationary point after."""
    least = data.margins.min("n", skipna=False)
    before, after = data.isel(t=early), data.isel(t=last)
    return Evidence(
        sound=hypotheses(data.least_degree.min(), data.largest_degree.max(), data.before.max()),
        holds=[
            at_most(
                "1 - cosine with the kernel's direction before, in units of log(n) over the least margin",
                (away(data, told) * least / np.log(n)).isel(t=early).max(skipna=False),
                1,
                why="the loss of what was added is at most that of the kernel's direction at the same length, and at least "
                "1/n of that of its least margin",
            ),
            at_most(
                "margins of different scales apart, over the largest",
                apart(data, late),
                1e-2,
                why="at fixed decay scales enter by alpha exp(-decay t) once the start is forgotten, like a power of alpha "
                "above 10",
            ),
            *_moves(data, told, roots),
            at_most(
                "stationarity after, in units of (2 decay time)^(-1/2)",
                (after.stationarity * (2 * CLOCK[-1]) ** 0.5).max(skipna=False),
                1,
                why="the integral of the squared gradient from log(alpha)/decay on is at most the objective there, "
                "decay |theta|^2/2 to leading order",
            ),
            at_most(
                "slackness after, in units of log(n) over the least margin",
                (after.slackness * after.margins.min("n", skipna=False) / np.log(n)).max(skipna=False),
                1,
                why="with multipliers like e^-q what margins exceed the least by is on average an entropy of n multipliers",
            ),
            at_least(
                "least margin before and after",
                np.minimum(before.margins.min(), after.margins.min()),
                0,
                why="the data are fitted in both phases",
            ),
        ],
    )


def _moves(data, told, roots) -> list[Reading]:
    """How the transition moves with the decay, the median draw; of one draw alone nothing, as it may end elsewhere."""
    if "trial" not in data.dims:
        return []
    return [
        at_most(
            MOVE,
            offset(data, told, roots).median("trial", skipna=False).max(skipna=False),
            2,
            why="margins q and q' of the two decays stand for themselves plus some constant of order one, twice that at most",
        )
    ]


def draw(data, told, log_alpha, decay) -> Drawing:
    """How far a run is from the kernel's direction and from a stationary point, for all scales on one clock."""
    found = data.assign(away=away(data, told))
    found = found.isel(trial=0) if "trial" in found.dims else found
    nets = {"": found}
    if "rectified" in found.dims:
        nets = {name: found.sel(rectified=at) for at, name in enumerate(NETS) if at in found.rectified}
    panels = []
    for name, net in nets.items():
        for what, label in (("away", "1 - cosine with the kernel's direction"), ("stationarity", "from a KKT point")):
            curves = _curves(net[what].isel(decay=-1), log_alpha.values)
            panels.append(
                Panel(
                    [*curves, Event("log(alpha)/decay", 0.0)],
                    x=Axis("decay x time - log(alpha)"),
                    y=Axis(label, low=0, high=1.02),
                    title=name,
                )
            )
    return Drawing(
        panels,
        caption=f"Left: how far what was added to the start is from the kernel's direction of largest margin. Right: how far the "
        f"weights are from a combination of the gradients of their margins. Decay {float(decay.values[-1]):g}; the scales of the "
        "start lie on one curve. First the kernel's phase, then the other.",
    )


def _curves(part, scales) -> list[Mark]:
    """A line for the first scale, points for the others: all on one curve."""
    first, *rest = (part.isel(log_alpha=at).values for at in range(len(scales)))
    marks: list[Mark] = [Line(f"alpha = e^{scales[0]:g}", CLOCK, first)]
    for at, other in enumerate(rest):
        marks.append(Points(f"alpha = e^{scales[at + 1]:g}", CLOCK, other, role=SERIES[1 + at % 2]))
    return marks


CONTROL = Control(
    "the phases exchanged: the kernel's direction at the end, a KKT point at the first reading; scales shifted by "
    f"{STEP:g}/decay; margins themselves in place of their roots",
    changes={"early": -1, "last": 0, "late": 1, "roots": 0},
    breaks=(
        "1 - cosine with the kernel's direction before, in units of log(n) over the least margin",
        "margins of different scales apart, over the largest",
        MOVE,
        "stationarity after, in units of (2 decay time)^(-1/2)",
    ),
)
CLAIM = Claim(
    kind="derived",
    title="Two phases of any homogeneous model",
    says="A homogeneous model of output zero at the start, trained on the exponential loss with a small decay from a large "
    "scale, is first moved along the largest-margin direction of its tangent kernel, and in the end its weights are a "
    "combination of the gradients of their least margins; between, all scales of the start follow one curve of "
    "decay * t - log(alpha), which moves with the decay like -log(q)/D, q the margin and D the degree. Shown on two-layer "
    "nets with a square and with the squared ReLU as activation; check_model asks it of a model of yours.",
    source="lyu2024, theorems 3.4 and 3.5",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"early": 0, "last": -1, "late": 0, "roots": 1},
    least={"log_alpha": 2, "decay": 2},
    control=CONTROL,
    seconds={"quick": 20, "paper": 180},
)


def of(start: Any, data: Split) -> Claim:
    """The same claim on one model and its data."""
    simulation = of_model(start, data)

    def told():
        from ...predictors import KernelMaxMargin

        return {"kernel": KernelMaxMargin(start).solve(data)}

    control = replace(CONTROL, breaks=tuple(name for name in CONTROL.breaks if name != MOVE))
    constants = {**CLAIM.constants, "n": data.n}
    return replace(CLAIM, simulation=simulation, refer=told, constants=constants, control=control)
