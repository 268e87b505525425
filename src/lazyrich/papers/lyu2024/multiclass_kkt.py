"""Multiclass KKT points: where figures 2 and 4 end, minimum norm under margins over every rival class is nearly attained."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_most
from ...claims.drawing import Axis, Drawing, Panel, Points, Rule
from ...dynamics import GradientDescent, RescaledDescent
from ...lab import Param, Simulation
from ...lab.simulations.modular_addition import TABLE, begin, cost, follow, make_problem
from ...losses import CrossEntropy
from ...measures.cone import rival_cone
from ...objective import Objective
from .simulations.addition_without_decay import UNTIL

# A coarse flow has errors of its tolerance in stiff directions. So many steps of gradient descent, a hundredth of
# 1/weight_decay, remove them.
RATE, SETTLING = 0.3, 400


def simulate(key, problem, *, modulus, width, alpha, weight_decay, until, tolerance, learning_rate, first, steps, around):
    """The KKT residuals at the end of the flow with weight decay from zero output, and of rescaled descent without it."""
    init = begin(key, modulus=modulus, width=width, alpha=alpha, last=0.0)
    times = jnp.array([0.0, 1.0]) * until / weight_decay
    held = follow(problem, init, times, weight_decay=weight_decay, tolerance=tolerance, read={})
    settled = GradientDescent(RATE).run(cost(problem, weight_decay), held.end, jnp.array([0, SETTLING]), read={})
    objective = Objective(problem.train, CrossEntropy(), reduction="mean")
    plain = begin(key, modulus=modulus, width=width, alpha=1.0)
    counts = jnp.stack([jnp.zeros(()), jnp.asarray(steps, float)])
    free = RescaledDescent(learning_rate, first, until=UNTIL, shrink=0.7).run(objective, plain, counts, read={})
    found = {}
    for at, (name, net) in enumerate((("held", settled.end), ("free", free.end))):
        own = jr.fold_in(jr.fold_in(key, 4), at)
        cone = rival_cone(net, problem.train, around=around, key=own)
        found |= {f"{name}_{part}": value for part, value in cone._asdict().items()}
        found[f"{name}_alone"] = rival_cone(net, problem.train).stationarity
    return {
        **found,
        "log_time": free.reads["log_time"][-1] / jnp.log(10.0),
        "edge": settled.certificates["edge"],
        "outcome": jnp.maximum(jnp.maximum(held.outcome.code, settled.outcome.code), free.outcome.code),
    }


PARTS = ("stationarity", "slackness", "least", "alone")
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("weight_decay", 1e-4, smoke=1e-3, low=1e-7, high=1.0, unit="weight decay"),
        Param("until", 5.0, 10.0, smoke=1.0, low=0.01, high=100.0, unit=r"$\lambda t$ with weight decay"),
        Param("steps", 2_000, 100_000, smoke=200, low=10, high=10_000_000, unit="steps without weight decay"),
        Param("alpha", 4.0, low=0.1, high=100.0, unit="times He initialization, with weight decay"),
        Param("tolerance", 0.1, 0.01, low=1e-6, high=1.0, unit="relative tolerance of the flow", static=True),
        Param("learning_rate", 1.0, low=1e-4, high=10.0, unit=r"of descent on $\log\mathcal{L}$, at first"),
        Param("first", 3.0, 0.5, smoke=1.0, low=1e-4, high=100.0, unit="learning rate of plain descent"),
        Param("around", 6, smoke=3, low=1, high=100, unit="points with gradients", static=True),
        *TABLE,
    ],
    returns=dict.fromkeys(
        (*(f"{name}_{part}" for name in ("held", "free") for part in PARTS), "log_time", "edge", "outcome"), ""
    ),
)
NAMES = {"held": "with weight decay", "free": "without weight decay"}
# Without weight decay no theorem gives the constant: directions converge like a power of log(log t). Three quarters of the
# squared norm of the weights are explained then.
HALF = 0.5


def judge(data, weight_decay) -> Evidence:
    """The KKT residuals at the end of both runs, beside what theorem 3.5 allows at this weight decay and this time."""

    def median(what, run, most, why):
        key = f"{run}_{what}"
        return at_most(f"{what} {NAMES[run]}, median over trials", data[key].median(), most, key=key, why=why)

    held = r"the theorem's $(\log(1/\lambda))^{-1/2}$ with constant one, with gradients on both sides of a kink"
    free = r"most of the squared norm, and directions still turn: $\log\log t$ is 7 where $t = 10^{700}$"
    slack = "complementary up to logarithms: margins with multipliers are below twice the smallest one on average"
    name, unstable = "learning rate of the last steps times sharpness, largest", "beyond 2 gradient descent is unstable"
    return Evidence(
        sound=[at_most(name, data.edge.max(), 2, key="edge", why=unstable)],
        holds=[
            median("stationarity", "held", np.log(1 / weight_decay) ** -0.5, held),
            median("slackness", "held", 0.5, slack),
            median("stationarity", "free", HALF, free),
            median("slackness", "free", 0.5, slack),
        ],
    )


def draw(data, weight_decay) -> Drawing:
    """Stationarity with one gradient and with those around it, of each trial."""
    panels, trials = [], np.arange(data.sizes["trial"]) + 1
    theorem = Rule(r"$(\log(1/\lambda))^{-1/2}$", float(np.log(1 / weight_decay) ** -0.5))
    x, y = Axis("trial", low=0.5, high=len(trials) + 0.5), Axis("stationarity", low=0.0, high=1.0)
    for name, bound in (("held", theorem), ("free", Rule("0.5", HALF))):
        marks = [
            Points("at the point alone", trials, data[f"{name}_alone"].values, role="second"),
            Points("on both sides of kinks", trials, data[f"{name}_stationarity"].values),
            bound,
        ]
        panels.append(Panel(marks, x, y, title=NAMES[name].capitalize()))
    return Drawing(
        panels,
        caption="Nets on modular addition at the end of training: the part of the weights that remains after the best "
        "combination, with nonnegative multipliers, of gradients of all margins. ReLU nets converge to kinks, so nearby "
        "gradients count too.",
    )


CLAIM = Claim(
    id="lyu2024/multiclass_kkt",
    kind="statement",
    title="Modular addition converges to near a KKT point",
    says="Where modular addition has been learned, with weight decay or without, the weights are nearly a combination with "
    "nonnegative multipliers of the gradients of the smallest margins over the rival classes: a KKT point of minimum norm.",
    source="lyu2024, theorem 3.5 (for figures 2 and 4)",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    controls=[
        Control(
            "stopped when the data are fitted",
            {"until": 0.2, "steps": 200},
            breaks=("held_stationarity", "held_slackness", "free_slackness"),
            size="quick",
        )
    ],
    sizes={"quick": {"width": 64}, "paper": {"trials": 2}},
    seconds={"quick": 50, "paper": 300},
)
