"""A diagonal net on a sparse truth that fits at once and then drifts to flatter interpolants, step by noisy step."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr
import jax.scipy.linalg as jsl

from ...dynamics import GradientFlow, LabelNoiseSGD, Outcome, Trajectory
from ...dynamics.limits import SlowManifold
from ...dynamics.limits.flattening import Flattening
from ...events import first_below
from ...losses import MEAN, Squared
from ...measures import Curve
from ...models import DiagonalNet
from ...numerics.crossings import first_crossing
from ...objective import Objective
from ...problems import Problem, Split
from ...regularizers import L2
from ..params import Param
from ..simulation import Simulation
from . import diagonal_regression as regression

FLOW = GradientFlow(rtol=1e-8, atol=1e-10)
# A share of the answers' squares at which the flow without noise counts as fitted, and a time it never needs.
FITTED, LONG = 1e-22, 1e9
# How much longer than it is read the drift is followed, in slow time: to rest.
REST = 1.5
# Shares of the loss of the fitted net, and how long and how finely a decay is followed through them.
LEVELS = (0.8, 0.5, 0.2)
AFTER, MOMENTS = 8.0, 300


def pose(key, n, d, sparsity) -> Problem:
    """Gaussian inputs and a sparse truth of length 1, without noise."""
    return regression.pose(key, n, d, sparsity, 0.0)


def split(problem: Problem) -> Split:
    """The samples."""
    assert isinstance(problem.train, Split), "sparse recovery measures vectors"
    return problem.train


def population_loss(problem: Problem, net):
    """The mean squared error on fresh samples: inputs are isotropic."""
    return jnp.sum((net.effective() - problem.truth) ** 2)


def settle(problem: Problem, *, d, alpha) -> Trajectory:
    """The gradient flow without noise from every weight at alpha, until it fits."""
    return regression.interpolate(problem, regression.begin(d, alpha=alpha), until=LONG, miss=FITTED)


def drift(problem: Problem, settled, *, log_alpha, slow, read) -> Trajectory:
    """The slow drift from where the flow without noise settled, in slow time."""
    data = split(problem)
    form = Flattening(data=data, w=settled, log_kappa=jnp.full(data.d, 2 * log_alpha))
    return FLOW.follow(form, dfx.Tsit5(), slow, read)


def flutter(data: Split, net) -> dict:
    r"""What noise of deviation 1 adds to losses beside an interpolant, per unit of the rate, to first order.

    The parameters flutter in the directions of the gradients with variance rate x noise$^2$ each; so outputs do with the
    covariance $4XsX^\top$ and weights with $4sX^\top(XsX^\top)^{-1}Xs$, $s = u^2 + v^2$.
    """
    root = net.u**2 + net.v**2
    gram = (data.x * root) @ data.x.T
    across = (data.x * root**2) @ data.x.T
    return {"train": 4 * jnp.trace(gram) / data.n, "test": 4 * jnp.trace(jsl.solve(gram, across, assume_a="pos"))}


def step_counts(last, count: int):
    """Zero, a third of the counts evenly in the logarithm up to a fiftieth of the last, the rest evenly."""
    early, knee = count // 3, last / 50
    parts = jnp.zeros(1), jnp.geomspace(knee * 1e-2, knee, early), jnp.linspace(knee, last, count - early)[1:]
    return jnp.round(jnp.concatenate(parts))


def noisy_curves(problem: Problem, dynamics, keys, *, d, alpha, counts) -> dict:
    """Losses and weights at these step counts, a row for each draw of the steps."""
    goal = Objective(problem.train, Squared(), factor=MEAN)
    read = {
        "train": goal,
        "test": lambda net: population_loss(problem, net),
        "effective": lambda net: net.effective(),
    }

    def one(key):
        path = dynamics(key).run(goal, DiagonalNet.at_scale(alpha, dim=d), counts, read=read)
        return {**path.reads, "outcome": path.outcome.code}

    return jax.vmap(one)(keys)


def told_curves(problem: Problem, *, d, alpha, slow) -> dict:
    """What theory says beforehand: weights and loss along the drift, what noise adds to losses, and the loss at rest."""
    settled = settle(problem, d=d, alpha=alpha)
    read = {
        "effective": lambda net: net.effective(),
        "told": lambda net: population_loss(problem, net),
        "flutter": lambda net: flutter(split(problem), net),
    }
    # No two times the same, and a last one at rest.
    times = jnp.append(slow + 1e-9 * jnp.arange(slow.size), slow[-1] + REST)
    path = drift(problem, settled.end.effective(), log_alpha=jnp.log(alpha), slow=times, read=read)
    return {
        "drift": path.reads["effective"][:-1],
        "told": path.reads["told"][:-1],
        "rest": path.reads["told"][-1],
        "flutter": path.reads["flutter"]["test"][:-1],
        "flutter_train": path.reads["flutter"]["train"][:-1],
        "outcome": jnp.where(settled.outcome.code == Outcome.STOPPED, path.outcome.code, Outcome.STEP_LIMIT),
    }


def simulate(key, problem, *, d, alpha, rate, noise, span, moments, draws):
    r"""Losses of label-noise descent at rate$^2\,$steps up to `span`, beside the drift that theory says."""
    counts = step_counts(span / rate**2, moments)
    clock = counts * rate**2
    told = told_curves(problem, d=d, alpha=alpha, slow=noise**2 * clock)
    seen = noisy_curves(
        problem,
        lambda key: LabelNoiseSGD(key, rate=rate, noise=noise),
        jr.split(jr.fold_in(key, 2), draws),
        d=d,
        alpha=alpha,
        counts=counts,
    )
    return compared(clock, told, seen, rate * noise**2)


def compared(clock, told: dict, seen: dict, size) -> dict:
    r"""Theory and the mean of all draws side by side, with the worst of their outcomes, and when they fit and pass `LEVELS`.

    `from_drift` and `from_settled` are mean squared distances of the weights from the drift and from its first point. `size` is
    what noise adds to losses, over what noise of deviation 1 adds per unit of the rate: it is taken off before times are read.
    """
    weights, drift = seen["effective"], told.pop("drift")
    train, test = seen["train"].mean(0), seen["test"].mean(0)
    first, fitted = told["told"][0], train - size * told["flutter_train"]
    return {
        **told,
        "clock": clock,
        "train": train,
        "test": test,
        "from_drift": jnp.sum((weights - drift) ** 2, axis=-1).mean(0),
        "from_settled": jnp.sum((weights - drift[0]) ** 2, axis=-1).mean(0),
        "moved": jnp.sum((drift - drift[0]) ** 2, axis=-1),
        "fits": first_below(Curve(clock, fitted / train[0], "training loss"), 0.5).value,
        "passes": passages(clock, test - size * told["flutter"], first),
        "told_passes": passages(clock, told["told"], first),
        "outcome": jnp.maximum(told["outcome"], seen["outcome"].max()),
    }


def passages(times, loss, first):
    """When a loss has fallen to `LEVELS`, as shares of its first value."""
    return jnp.stack([first_crossing(times, -loss, -level * first) for level in LEVELS])


@jax.jit
def decay_passages(problem: Problem, log_alpha):
    r"""The same times of the flow with a vanishing decay, in units of 1/decay, from every weight at each of these scales."""
    goal = Objective(problem.train, Squared(), factor=MEAN, penalties=[(L2(), 1.0)])
    read = {"test": lambda net: population_loss(problem, net)}

    def one(size):
        times = jnp.linspace(0.0, size + AFTER, MOMENTS)
        start = DiagonalNet.at_scale(jnp.exp(size), dim=split(problem).d)
        path = SlowManifold(rtol=1e-7, atol=1e-9).run(goal, start, times, read=read)
        return passages(times, path.reads["test"], path.reads["test"][0])

    return jax.lax.map(one, log_alpha)


PARAMS = (
    Param("n", 16, 40, low=4, high=1_000, unit="samples", static=True),
    Param("d", 32, 100, low=8, high=2_000, unit="unknowns", static=True),
    Param("sparsity", 2, 3, low=1, high=100, unit="entries of the truth", static=True),
    Param("alpha", 0.5, low=0.05, high=10.0, unit="every weight at the start"),
    Param("moments", 60, smoke=30, low=20, high=2_000, unit="times on the curve", static=True),
    Param("draws", 4, smoke=2, low=1, high=1_000, unit="draws of the steps for each draw of the data", static=True),
)
NOISE = Param("noise", 1.0, low=1e-3, high=10.0, unit="deviation of the labels' noise")

RETURNS = {
    **dict.fromkeys(("clock", "train", "test", "told", "flutter", "flutter_train"), "t"),
    **dict.fromkeys(("from_drift", "from_settled", "moved"), "t"),
    **dict.fromkeys(("passes", "told_passes"), "m"),
    **dict.fromkeys(("fits", "rest", "outcome"), ""),
}

SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        *PARAMS,
        NOISE,
        Param("rate", (5e-3, 2.5e-3), (1e-3, 5e-4), smoke=(1e-2, 5e-3), low=1e-6, high=0.1, unit="of each step"),
        Param("span", 0.55, smoke=0.3, low=0.01, high=10.0, unit="rate^2 x steps at the end"),
    ],
    returns=RETURNS,
)
