r"""Theorem 3.4: at $(1 - c)\log\alpha/\lambda$ a homogeneous net is the largest-margin classifier of its tangent kernel."""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.diagonal_classification import pose_apart
from ...lab.settings.kernel_phase import follow
from ...lab.settings.power_nets import begin
from ...models import outputs
from ...problems import Split
from ...types import Array, Float
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Panel, Points, Rule, Slope
from ..labelled import farthest, last_power, norm, relative_distance

# The moments (1 - c) log(alpha)/decay at which a run is read.
AWAY = (0.7, 0.5, 0.3)


class Posed(eqx.Module):
    """Two classes, inputs to be told, a net of output zero, and another one that training never sees."""

    train: Split
    fresh: Float[Array, "m d"]
    start: Any
    other: Any


def pose(key, n, d, gap, degree, width, rectified, fresh) -> Posed:
    """Gaussian points pushed apart, and two-layer nets of Gaussian weights, doubled."""
    train = pose_apart(key, n, d, gap).train
    assert isinstance(train, Split)
    start, other = (
        begin(part, d=d, degree=degree, width=width, rectified=rectified) for part in jr.split(jr.fold_in(key, 1))
    )
    return Posed(train, jr.normal(jr.fold_in(key, 3), (fresh, d)), start, other)


def simulate(key, problem, *, log_alpha, power):
    r"""Outputs on fresh inputs at $(1 - c)\log\alpha/\lambda$ for a few $c$, with $\lambda = \alpha^{-p}$."""
    slow = jnp.concatenate([jnp.zeros(1), (1 - jnp.array(AWAY)) * log_alpha])
    read = {"told": lambda now: now.outputs(problem.fresh)}
    path = follow(problem.start, problem.train, log_alpha=log_alpha, log_decay=-power * log_alpha, slow=slow, read=read)
    seen = jnp.concatenate([problem.train.x, problem.fresh])
    return {
        "away": jnp.array(AWAY),
        "outputs": path.reads["told"][1:],
        "before": jnp.max(jnp.abs(outputs(problem.start, seen))),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param(
            "log_alpha",
            (16.0, 32.0),
            (8.0, 16.0, 32.0),
            smoke=(6.0, 8.0),
            low=5.0,
            high=64.0,
            unit="log of the scale of the start",
        ),
        Param("degree", (2, 3), (2, 3, 4), smoke=(3,), low=2, high=5, unit="of homogeneity", static=True),
        Param("power", (1.0, 2.0), smoke=(1.0,), low=0.5, high=2.0, unit="decay = alpha^-power"),
        Param("width", 4, 8, low=2, high=200, unit="hidden units", static=True),
        Param("rectified", 0, low=0, high=1, unit="1: powers of ReLU, not smooth", static=True),
        Param("n", 6, low=2, high=100, unit="samples", static=True),
        # With many more inputs than samples all samples carry weights of one size, and the angle's next order is small.
        Param("d", 48, smoke=8, low=2, high=1_000, unit="inputs", static=True),
        Param("gap", 2.0, low=0.0, high=100.0, unit="between the classes, in deviations", static=True),
        Param("fresh", 40, 200, smoke=10, low=2, high=10_000, unit="inputs that outputs are compared on", static=True),
    ],
    returns={"away": "t", "outputs": "t d", **dict.fromkeys(("before", "outcome", "steps"), "")},
)


def refer(problem, whose):
    r"""The kernel's classifier of largest margin, and what its unit vector $h^*$ gives fresh inputs."""
    from ...predictors import KernelMaxMargin

    told = KernelMaxMargin(getattr(problem, whose)).solve(problem.train)
    return {"kernel": told, "limit": np.asarray(told.predict(problem.fresh)) / told.value}


def scaled(data, told, log_alpha, degree, power):
    r"""$M = \log(\alpha^{2(D-1)c}/\lambda)$, the outputs over $M/\gamma$ along the limit, and half their squared angle to it."""
    clock = (2 * (degree - 1) * data.away + power) * log_alpha
    limit, margin = told["limit"], 1 / told["kernel"].value
    along = (data.outputs * limit).sum("d") / (limit**2).sum("d") * margin
    turn = relative_distance(data.outputs / norm(data.outputs), limit / norm(limit)) ** 2 / 2
    return clock, along, turn


def judge(data, told, log_alpha, degree, power, n) -> Evidence:
    """The size of the outputs against the normalizer, and how fast they near the limit's direction."""
    clock, along, turn = scaled(data, told, log_alpha, degree, power)
    force = np.log(told["kernel"].value ** -2 / degree)
    return Evidence(
        sound=[
            at_most(
                "largest output of the start",
                data.before.max(),
                1e-12,
                why="the theorem is of starts of output zero",
            )
        ],
        holds=[
            at_most(
                "distance of outputs over Z from the limit's size, in units of what is dropped",
                (abs(along / clock - 1) * clock / (np.log(clock) + abs(force) + np.log(n))).max(),
                1,
                why="of log(1/L) = M + log(gamma^2/D) - log(log(1/L)), which is gamma |h| up to an entropy of at most "
                "log(n), the "
                "proof keeps M",
            ),
            near(
                "power of log(alpha) at which 1 - cosine with the limit falls",
                farthest(last_power(turn, "log_alpha").median("trial"), 2),
                2,
                0.4,
                why="an angle like 1/M, with M up to log(M) and a constant of some units: a tenth of M from 40 on, and so "
                "2 x 0.1 over log(2) in the power, 0.3",
            ),
        ],
    )


def draw(data, told, log_alpha, degree, power) -> Drawing:
    """Size and direction of the outputs against the logarithm M of the normalizer."""
    clock, along, turn = scaled(data, told, log_alpha, degree, power)
    sizes, turns = [], []
    for at, k in enumerate(degree.values):
        y = turn.sel(degree=k).median("trial")
        x = clock.sel(degree=k).isel(trial=0).transpose(*y.dims).values.ravel()
        size = (along / clock).sel(degree=k).median("trial").transpose(*y.dims).values.ravel()
        sizes.append(Points(f"degree {int(k)}", x, size, role=SERIES[at % 3]))
        turns.append(Points(f"degree {int(k)}", x, y.values.ravel(), role=SERIES[at % 3]))
    last = int(np.argmax(turns[0].x))
    ends = [min(mark.x.min() for mark in turns), max(mark.x.max() for mark in turns)]
    x = Axis("M = (2(D-1)c + p) log(alpha)", scale="log")
    return Drawing(
        [
            Panel(
                [*sizes, Rule("limit", 1.0)],
                x=x,
                y=Axis("outputs over M/gamma, along the limit"),
                title="The size of the outputs",
            ),
            Panel(
                [*turns, Slope("M^-2", ends, (float(turns[0].x[last]), float(turns[0].y[last])), -2)],
                x=x,
                y=Axis("1 - cosine", scale="log"),
                title="Their direction",
            ),
        ],
        caption="Outputs on fresh inputs of two-layer nets with powers as activation, at (1 - c) log(alpha)/decay, "
        "beside those of the "
        "largest-margin classifier of the tangent kernel at the start: one point for each c, decay and scale, the "
        "median over draws.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Before the transition: the kernel's largest margin",
    says="At (1 - c) log(alpha)/decay with decay = alpha^-p a homogeneous net of output zero at the start, trained on "
    "the exponential "
    "loss, gives every input (M/gamma) times what the largest-margin classifier of its tangent kernel gives, up to o(1), where "
    "M = log(alpha^(2(D-1)c)/decay): the normalizer of the proof; the printed one is an erratum of its own.",
    source="lyu2024, theorem 3.4",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"whose": "start"},
    least={"log_alpha": 2},
    aliases=("theorem_c_9",),
    control=Control(
        "the kernel of another start",
        changes={"whose": "other"},
        breaks=(
            "distance of outputs over Z from the limit's size, in units of what is dropped",
            "power of log(alpha) at which 1 - cosine with the limit falls",
        ),
    ),
    seconds={"quick": 30, "paper": 180},
)
