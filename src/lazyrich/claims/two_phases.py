"""The two phases of any homogeneous model, a user's included: kernel regime first, a KKT point of minimum norm last."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..lab.simulations.two_phases import CLOCK, SIMULATION, STEP, Posed, of_model
from ..problems import Split
from .base import Claim, Control, Evidence, Reading, at_least, at_most, near
from .drawing import SERIES, Axis, Drawing, Event, Line, Mark, Panel, Points
from .labelled import Labelled

if TYPE_CHECKING:
    import xarray as xr

NETS = ("quadratic net", "squared ReLU")


def predict(problem: Posed) -> dict[str, Any]:
    """The max-margin classifier of the tangent kernel."""
    from ..predictors import KernelMaxMargin

    return {"kernel": KernelMaxMargin(problem.init).solve(problem.train)}


def hypotheses(least_degree: Any, largest_degree: Any, before: Any) -> list[Reading]:
    """The assumptions of the theorems, as sanity checks: where one is violated nothing is refuted."""
    return [
        near(
            "largest measured degree of homogeneity, beside the smallest",
            largest_degree,
            least_degree,
            1e-6,
            key="homogeneous",
            why="the theorems assume a homogeneous model: one degree for every input and every factor",
        ),
        at_least(
            "smallest measured degree of homogeneity",
            least_degree,
            2 - 1e-6,
            key="degree",
            why="a second derivative at every scale; at degree 1 features never move, and the kernel regime has no end",
        ),
        at_most(
            "largest output at initialization, over its longest gradient",
            before,
            1e-9,
            key="zero_output",
            why="the theorems assume zero output at initialization",
        ),
    ]


def away(data: "xr.Dataset", theory: Mapping[str, Any]) -> Labelled:
    r"""$1 - \cos$ between the change of the parameters and the kernel's max-margin direction."""
    kernel = theory["kernel"]
    share = abs(kernel.effective).rename(d="n")
    return 1 - (share * data.linear).sum("n", skipna=False) / (data.length * kernel.value)


def apart(data: "xr.Dataset", late: int) -> float:
    """The largest difference between scales over the largest number, with each next scale shifted by `late` times."""
    through = data.isel(t=slice(1, -1))
    count = through.sizes["t"] - late * (through.sizes["log_alpha"] - 1)
    differences = []
    for part in (through.margins, through.linear):
        scales = [part.isel(log_alpha=at, t=slice(late * at, late * at + count)) for at in range(part.sizes["log_alpha"])]
        differences += [abs(other - scales[0]).max() / abs(part).max() for other in scales[1:]]
    return max(float(one) for one in differences)


def crossed(gone: Labelled, margins: Labelled) -> tuple[Labelled, Labelled]:
    r"""The $\lambda t - \log\alpha$ of half the final distance from the kernel direction, and the minimum margin there."""
    import xarray as xr

    def cross(curve, least):
        level = curve[-1] / 2
        at = int(np.argmax(curve >= level))
        if at == 0 or not np.isfinite(curve).all():
            return np.nan, np.nan
        share = (level - curve[at - 1]) / (curve[at] - curve[at - 1])
        return tuple(part[at - 1] + share * (part[at] - part[at - 1]) for part in (np.array(CLOCK), least))

    return xr.apply_ufunc(cross, gone, margins, input_core_dims=[["t"], ["t"]], output_core_dims=[[], []], vectorize=True)


def offset(data: "xr.Dataset", theory: Mapping[str, Any], roots: int) -> Labelled:
    r"""The shift of the transition from the first weight decay to the last, minus $-\frac1D\log(q'/q)$, over $1/q-1/q'$.

    The kernel regime ends where the turn $h\rho^{-D}$ is of order one, $h$ proportional to the margin $q$. Where `roots` is 0
    the power is 1 in place of $1/D$.
    """
    when, margin = crossed(away(data, theory), data.margins.min("n", skipna=False))
    first, last = ({"weight_decay": at} for at in (0, -1))
    moved = when.isel(last) - when.isel(first)
    predicted = -np.log(margin.isel(last) / margin.isel(first)) / data.least_degree.isel(first) ** roots
    return abs(moved - predicted) / (1 / margin.isel(first) - 1 / margin.isel(last))


def judge(data: "xr.Dataset", theory: Mapping[str, Any], n: int, early: int, last: int, late: int, roots: int) -> Evidence:
    """The kernel direction before, one curve for all scales in between, a stationary point after."""
    least = data.margins.min("n", skipna=False)
    before, after = data.isel(t=early), data.isel(t=last)
    return Evidence(
        sound=hypotheses(data.least_degree.min(), data.largest_degree.max(), data.before.max()),
        holds=[
            at_most(
                r"initial $1 - \cos$ with the kernel direction, in units of $\log n$ over the minimum margin",
                (away(data, theory) * least / np.log(n)).isel(t=early).max(skipna=False),
                1,
                key="kernel_direction",
                why="the loss of the change is at most that of the kernel direction at the same length, "
                "and at least $1/n$ of that of its minimum margin",
            ),
            at_most(
                "difference of margins between scales, over the largest",
                apart(data, late),
                1e-2,
                key="collapse",
                why=r"at fixed weight decay $\alpha$ enters by $\alpha e^{-\lambda t}$ once initialization is "
                r"forgotten, up to a power of $1/\alpha$, with $\alpha > 10$",
            ),
            *_moves(data, theory, roots),
            at_most(
                r"final stationarity, in units of $(2\lambda t)^{-1/2}$",
                (after.stationarity * (2 * CLOCK[-1]) ** 0.5).max(skipna=False),
                1,
                key="stationarity",
                why=r"the integral of the squared gradient from $\log(\alpha)/\lambda$ on is at most the "
                r"objective there, $\lambda\|\theta\|^2/2$ to leading order",
            ),
            at_most(
                r"final slackness, in units of $\log n$ over the minimum margin",
                (after.slackness * after.margins.min("n", skipna=False) / np.log(n)).max(skipna=False),
                1,
                key="slackness",
                why="with multipliers like $e^{-q}$ the mean excess over the minimum margin is an entropy of $n$ multipliers",
            ),
            at_least(
                "minimum margin before and after",
                np.minimum(before.margins.min(), after.margins.min()),
                0,
                key="margin",
                why="the data are fitted in both phases",
            ),
        ],
    )


def _moves(data, theory, roots) -> list[Reading]:
    """How the transition moves with weight decay, median over trials; not for a single trial, which may converge elsewhere."""
    if "trial" not in data.dims:
        return []
    return [
        at_most(
            r"shift of the transition between weight decays minus that of $-\frac{1}{D}\log q$, over $1/q - 1/q'$, median over "
            "trials",
            offset(data, theory, roots).median("trial", skipna=False).max(skipna=False),
            2,
            key="transition",
            why="the law has the margins $q$ and $q'$ at the two weight decays up to constants of order one; 2 allows "
            "a constant of about two",
        )
    ]


def draw(data: "xr.Dataset", theory: Mapping[str, Any], log_alpha: Labelled, weight_decay: Labelled) -> Drawing:
    """How far a run is from the kernel direction and from a stationary point, for all scales on one time axis."""
    found = data.assign(away=away(data, theory))
    found = found.isel(trial=0) if "trial" in found.dims else found
    nets = {"": found}
    if "rectified" in found.dims:
        nets = {name: found.sel(rectified=at) for at, name in enumerate(NETS) if at in found.rectified}
    panels = []
    for name, net in nets.items():
        for what, label in (("away", r"$1 - \cos$ with the kernel direction"), ("stationarity", "distance from a KKT point")):
            curves = _curves(net[what].isel(weight_decay=-1), log_alpha.values)
            panels.append(
                Panel(
                    [*curves, Event(r"$\log(\alpha)/\lambda$", 0.0)],
                    x=Axis(r"$\lambda t - \log\alpha$"),
                    y=Axis(label, low=0, high=1.02),
                    title=name,
                )
            )
    return Drawing(
        panels,
        caption="Left: the distance of the change of the parameters from the kernel's max-margin direction. Right: the distance "
        f"of the weights from a combination of the gradients of their margins. Weight decay {float(weight_decay.values[-1]):g}; "
        "all initialization scales lie on one curve. First the kernel regime, then the rich regime.",
    )


def _curves(part, scales) -> list[Mark]:
    """A line for the first scale, points for the others: all on one curve."""
    first, *rest = (part.isel(log_alpha=at).values for at in range(len(scales)))
    marks: list[Mark] = [Line(rf"$\alpha = e^{{{scales[0]:g}}}$", CLOCK, first)]
    for at, other in enumerate(rest):
        marks.append(Points(rf"$\alpha = e^{{{scales[at + 1]:g}}}$", CLOCK, other, role=SERIES[1 + at % 2]))
    return marks


CONTROL = Control(
    "the phases exchanged: the kernel direction at the end, a KKT point at the first time; scales shifted by "
    rf"${STEP:g}/\lambda$; margins in place of their roots",
    changes={"early": -1, "last": 0, "late": 1, "roots": 0},
    breaks=("kernel_direction", "collapse", "transition", "stationarity"),
)
CLAIM = Claim(
    id="lyu2024/any_model",
    kind="derived",
    title="Two phases of any homogeneous model",
    says="A homogeneous model of zero output at initialization, trained on the exponential loss with small weight decay "
    r"$\lambda$ from a large scale $\alpha$, first moves along the max-margin direction of its tangent kernel, and in the end "
    "its weights are a combination of the gradients of their smallest margins; in between, all initialization scales follow one "
    r"curve in $\lambda t - \log\alpha$, which shifts with $\lambda$ like $-\frac{1}{D}\log q$, $q$ the margin and $D$ the "
    "degree. Shown on two-layer nets with quadratic and squared ReLU activations; check_model tests it on a model of yours.",
    source="lyu2024, theorems 3.4 and 3.5",
    simulation=SIMULATION,
    predict=predict,
    judge=judge,
    draw=draw,
    constants={"early": 0, "last": -1, "late": 0, "roots": 1},
    least={"log_alpha": 2, "weight_decay": 2},
    controls=[CONTROL],
    seconds={"quick": 20, "paper": 180},
)


def of(init: Any, data: Split) -> Claim:
    """The same claim on one model and its data."""
    simulation = of_model(init, data)

    def theory():
        from ..predictors import KernelMaxMargin

        return {"kernel": KernelMaxMargin(init).solve(data)}

    control = replace(CONTROL, breaks=tuple(name for name in CONTROL.breaks if name != "transition"))
    constants = {**CLAIM.constants, "n": data.n}
    return replace(CLAIM, simulation=simulation, predict=theory, constants=constants, controls=[control])
