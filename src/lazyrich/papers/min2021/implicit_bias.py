r"""Where gradient flow converges: the minimum-norm solution, plus what the weights outside the input span add."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most
from ...claims.drawing import SERIES, Axis, Drawing, Line, Panel, Points
from ...claims.labelled import norm
from ...claims.marks import equal, family, log_axis, one_panel
from .shared.marks import EXPONENT, paired
from .shared.widths import DISTANCE
from .simulations.linear_net_defect import SIMULATION

CLOCK = log_axis(r"$\lambda_rc(0)\,t$")


def first(data):
    """One trial with equal layers, and its time in units of the guaranteed rate."""
    one = data.isel(trial=0, tilt=-1, ratio=0)
    return one, (one.time * one.guaranteed)[..., 1:]


def remaining(data, part, name, key) -> Reading:
    """A final distance, relative to the norm of the minimum-norm solution."""
    last = (data[part].isel(t=-1) / norm(data.min_norm, "e")).max()
    why = "the remaining error, 1e-8 or less given the slowest rate, times the condition number of the inputs"
    return at_most(f"{name}, relative, maximum", last, 1e-6, key=key, why=why)


def growth_of_weights(data, factor):
    r"""$\log(\|[V; U_1](t)\|^2/\|[V; U_1](0)\|^2)$, and its bound $4\sqrt{\lambda_1}\|E(0)\|/(\lambda_rc(0))$."""
    tiny = np.finfo(float).tiny
    gained = np.log((data.weights + tiny) / (data.weights.isel(t=0) + tiny))
    error = np.sqrt(2 * data.excess.isel(t=0))
    return gained, factor * np.sqrt(data.top) * error / data.guaranteed


def judge_9(data, factor) -> Evidence:
    """The final error, the late motion of the weights, and their growth beside its bound."""
    gained, allowed = growth_of_weights(data, factor)
    clock = data.time.isel({name: 0 for name in data.time.dims if name != "t"}).values
    half, last = int(np.flatnonzero(clock <= clock[-1] / 2)[-1]), data.weights.isel(t=-1)

    return Evidence(
        holds=[
            at_most(
                "final error over initial error, maximum",
                np.sqrt(data.excess.isel(t=-1) / data.excess.isel(t=0)).max(),
                1e-6,
                key="error",
                why=r"the slowest rate is at least the level of imbalance, half of $h^{1-2a}$ at this width: $e^{-25/2}$ or less",
            ),
            at_most(
                r"relative change of $\|[V; U_1]\|^2$ in the second half of the run, maximum",
                (abs(last - data.weights.isel(t=half)) / (last + np.finfo(float).tiny)).max(),
                1e-2,
                key="motion",
                why=r"weights move by the remaining error: $e^{-25/4}$ of the initial one",
            ),
            at_most(
                r"relative distance of the final predictor to $\hat\Theta + \Phi_2U_2(0)V(\infty)^\top$, maximum",
                (norm(data.reached - data.predicted, "e") / norm(data.min_norm, "e")).max(),
                1e-5,
                key="limit",
                why="an interpolant: ten times the remaining error, for the condition number of the inputs",
            ),
            at_most(
                r"log growth of $\|[V; U_1]\|^2$ minus its bound, maximum",
                (gained - allowed).max(),
                0,
                key="growth",
                why=r"Gronwall: $d\|w\|^2/dt \leq 2\|SE\|\|w\|^2$, and $\|E\|$ decays at least like $e^{-ct/2}$",
            ),
        ]
    )


def draw_9(data) -> Drawing:
    """The error against time in units of the slowest rate, and the growth of the weights beside its bound."""
    one, clock = first(data)
    gained, allowed = growth_of_weights(one, 4.0)
    error = np.sqrt(one.excess / one.excess.isel(t=0))
    slow = clock.isel(exponent=0)
    errors = family(EXPONENT, clock, error[..., 1:], "exponent")
    growth = family(EXPONENT, clock, (gained / allowed).transpose(..., "t")[..., 1:], "exponent")
    bound = Line("guaranteed", slow, np.exp(-slow / 2), role="theory")
    return Drawing(
        [
            Panel([*errors, bound], CLOCK, log_axis(r"$\|E(t)\|/\|E(0)\|$", low=1e-8), title="Error"),
            Panel(growth, CLOCK, Axis(r"log growth of $\|[V; U_1]\|^2$, over its bound"), title="Weights"),
        ],
        caption="One trial. The error vanishes and the weights converge; they grow by a small fraction of what the proof allows.",
    )


def judge_decomposition(data, trained) -> Evidence:
    """The final predictor against its closed form, and the two parts of its distance along the flow."""
    theory = data.predicted if trained else data.regression
    size = norm(data.min_norm, "e")
    squares = data.unfitted**2 + data.unseen**2
    outside, name = data.unseen.isel(t=-1) / size, r"norm of $U_2V(\infty)^\top$ over that of the minimum-norm solution, minimum"
    return Evidence(
        sound=[at_least(name, outside.min(), 1e-2, key="outside", why="otherwise there is nothing to predict")],
        holds=[
            remaining(data, "unfitted", "final distance to the minimum-norm solution in the span of the inputs", "inside"),
            at_most(
                "final predictor, relative distance to its closed form, maximum",
                (norm(data.reached - theory, "e") / size).max(),
                1e-6,
                key="limit",
                why="the same: $U_2$ never moves, so that only the component in the span of the inputs can differ",
            ),
            at_most(
                "squared distance minus the sum of its two squared parts, relative, maximum over time",
                (abs(data.distance**2 - squares) / squares).max(),
                1e-10,
                key="pythagoras",
                why="two orthogonal parts, up to rounding error",
            ),
        ],
    )


def draw_decomposition(data, exponent) -> Drawing:
    """Both parts of the distance along one run, and the entries of the final predictors against theory."""
    one, clock = first(data)
    at = len(exponent) // 2
    mid, clock = one.isel(exponent=at), clock.isel(exponent=at)
    parts = {"distance": mid.distance, "in the span of the inputs": mid.unfitted, r"outside: $\|U_2V^\top\|$": mid.unseen}
    lines = [Line(name, clock, part[1:], role=role) for role, (name, part) in zip(SERIES, parts.items(), strict=False)]
    points = [*family(EXPONENT, one.predicted, one.reached, "exponent", mark=Points), equal(data.reached)]
    x, y = (Axis(f"entry of the predictor, {source}") for source in ("theory", "gradient flow"))
    return Drawing(
        [
            Panel(lines, CLOCK, log_axis(DISTANCE, low=1e-6), title=f"One run, $a = {float(exponent[at]):g}$"),
            Panel(points, x, y, title="Limit of gradient flow"),
        ],
        caption="In the span of the inputs the predictor converges to the minimum-norm solution. Outside it, the component of "
        "the first layer never moves, and the final second layer maps it to the predictor.",
    )


def judge_10(data) -> Evidence:
    """The defect at all times and the final distance, where the initial predictor is in the span of the inputs."""
    size = norm(data.min_norm, "e")
    return Evidence(
        sound=[
            at_most(
                "initial predictor outside the span of the inputs, relative, maximum",
                (norm(data.regression - data.min_norm, "e") / size).max(),
                1e-10,
                key="regression",
                why="linear regression from this predictor converges to the minimum-norm solution; so it does in the control",
            ),
            at_least(
                "initial distance to the minimum-norm solution, relative, minimum",
                (data.distance.isel(t=0) / size).min(),
                1e-2,
                key="initial",
                why="an initialization at the solution would show nothing",
            ),
        ],
        holds=[
            at_most(
                r"defect $\|Z(t)\|$ over the initial squared weights, maximum over time",
                (norm(data.defect, "m").max("t") / data.weights.isel(t=0)).max(),
                1e-10,
                key="defect",
                why="zero is a fixed point of the linear equation of the defect; rounding error grows by a small factor",
            ),
            remaining(data, "distance", "final distance to the minimum-norm solution", "distance"),
        ],
    )


def draw_10(data) -> Drawing:
    """The distance and the defect along the flow."""
    one, clock = first(data)
    distance = (one.distance / norm(one.min_norm, "e"))[..., 1:]
    defect = (norm(one.defect, "m") / one.weights.isel(t=0))[..., 1:]
    size = log_axis(r"$\|Z(t)\|/\|[V; U_1](0)\|^2$", low=1e-20, high=1.0)
    return Drawing(
        [
            Panel(family(EXPONENT, clock, part, "exponent"), CLOCK, y, title=title)
            for part, y, title in (
                (distance, log_axis(f"{DISTANCE}, relative"), "Convergence to the minimum-norm solution"),
                (defect, size, "The orthogonality is invariant"),
            )
        ],
        caption=r"One trial from orthogonal initializations: $VU_2^\top$ and $U_1U_2^\top$ are zero up to rounding error and "
        "stay so; gradient flow converges to the minimum-norm solution.",
    )


def growth_of_defect(data):
    r"""$\log(\|Z(t)\|/\|Z(0)\|)$, and its bound $\sqrt{\lambda_1}\|E(0)\|/(\lambda_r\Delta)$ for all times."""
    size = norm(data.defect, "m")
    gained = np.log(size / size.isel(t=0))
    return gained, np.sqrt(2 * data.top * data.excess.isel(t=0)) / (data.bottom * data.level)


def judge_law(data) -> Evidence:
    """The defect of the weights against that of the linear equation, and its growth beside both bounds."""
    size = norm(data.defect, "m")
    gained, allowed = growth_of_defect(data)
    change = norm(data.defect.isel(t=-1) - data.defect.isel(t=0), "m") / size.isel(t=0)
    why = "a constant defect would obey any linear equation"
    return Evidence(
        sound=[at_least("relative change of the defect, minimum", change.min(), 1e-2, key="motion", why=why)],
        holds=[
            at_most(
                "defect of the weights, relative distance to that of the linear equation, maximum over time",
                (norm(data.defect - data.driven, "m") / size).max(),
                1e-6,
                key="equation",
                why="two flows at solver tolerance 1e-10, up to a thousand steps each, and a growth below ten",
            ),
            at_most(
                r"log growth of the defect minus $\int\|SE\|$, maximum",
                (gained - data.length).max(),
                1e-9,
                key="integral",
                why=r"Gronwall: the matrix of the linear equation has the norm $\|SE\|$; up to the tolerance of two solvers",
            ),
            at_most(
                "log growth of the defect over its bound for all times, maximum",
                (gained.max("t") / allowed).max(),
                1,
                key="bound",
                why="the integral of an error that decays at least at the rate of the level of imbalance",
            ),
        ],
    )


def draw_law(data) -> Drawing:
    """The growth of the defect beside the integral that bounds it."""
    one, clock = first(data)
    gained, _ = growth_of_defect(one)
    return one_panel(
        paired(clock, np.exp(gained)[..., 1:], np.exp(one.length)[..., 1:], "bound", Line),
        CLOCK,
        log_axis(r"$\|Z(t)\|/\|Z(0)\|$"),
        "One trial. The defect moves only while there is an error: the larger the initialization (the smaller $a$), the less.",
    )


claim = partial(Claim, simulation=SIMULATION, seconds={"quick": 15, "paper": 120})
CLAIMS = (
    claim(
        id="min2021/proposition_9",
        kind="proposition",
        title="A guaranteed rate implies convergence of the weights to an interpolant",
        says=r"If $c(0) > 0$, then $V$ and $U_1$ converge and the error vanishes; the squared weights $\|[V; U_1]\|_F^2$ grow by "
        r"at most a factor $\exp(4\lambda_1^{1/2}\|E(0)\|_F/(\lambda_rc(0)))$.",
        source="min2021, proposition 9",
        judge=judge_9,
        draw=draw_9,
        constants={"factor": 4.0},
        controls=[Control("the zero initialization, where $c(0) = 0$", changes={"amplitude": 0.0}, breaks=("error",))],
    ),
    claim(
        id="min2021/decomposition",
        kind="statement",
        title="The limit of a linear network: minimum-norm solution plus a component outside the input span",
        says="If the loss converges to its minimum, gradient flow converges to the minimum-norm solution plus the component of "
        r"the first layer outside the span of the inputs, which never moves, times the final second layer: $UV^\top \to "
        r"\hat\Theta + \Phi_2U_2(0)V(\infty)^\top$.",
        source="min2021, equation 30",
        judge=judge_decomposition,
        draw=draw_decomposition,
        constants={"trained": 1},
        controls=[Control("the initial second layer, as in linear regression", changes={"trained": 0}, breaks=("limit",))],
    ),
    claim(
        id="min2021/proposition_10",
        kind="proposition",
        title="Orthogonal initializations converge to the minimum-norm solution",
        says=r"If $VU_2^\top = 0$ and $U_1U_2^\top = 0$ at initialization, both stay zero, and if the loss converges to its "
        "minimum, the limit is the minimum-norm solution. The first condition alone suffices for linear regression, but not "
        "here.",
        source="min2021, proposition 10",
        judge=judge_10,
        draw=draw_10,
        sizes={size: {"along_u": 0.0, "along_v": 0.0} for size in ("smoke", "quick", "paper")},
        controls=[Control(r"only $VU_2^\top = 0$", changes={"along_u": 1.0}, breaks=("defect", "distance"))],
    ),
    claim(
        id="min2021/defect_law",
        kind="statement",
        title="The orthogonality defect obeys a linear equation",
        says=r"The defect $Z = [VU_2^\top; U_1U_2^\top]$ obeys $\dot Z = A(E)Z$ with $\|A(E)\| = \|SE\|$: it grows at most by a "
        r"factor $\exp\int\|SE\|dt \leq \exp(\lambda_1^{1/2}\|E(0)\|_F/(\lambda_r\Delta))$; $\Delta$: level of imbalance.",
        source="min2021, equation 32",
        judge=judge_law,
        draw=draw_law,
        controls=[Control(r"$\dot Z = 0.9\,A(E)Z$ in place of $\dot Z = A(E)Z$", changes={"pace": 0.9}, breaks=("equation",))],
    ),
)
