"""Label-noise SGD of a diagonal net on sparse regression: a fast fit, then a drift to flatter interpolants."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr
import jax.scipy.linalg as jsl

from ....dynamics import GradientFlow, LabelNoiseSGD, Outcome, Trajectory
from ....dynamics.limits import SlowManifold
from ....dynamics.limits.flattening import Flattening
from ....events import first_below
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations import diagonal_regression as regression
from ....losses import Squared
from ....measures import Curve
from ....models import DiagonalNet
from ....numerics.crossings import first_crossing
from ....objective import Objective
from ....problems import Problem, Split
from ....regularizers import L2

FLOW = GradientFlow(rtol=1e-8, atol=1e-10)
# The relative training loss at which the flow without noise counts as fitted, and a time it never needs.
FITTED, LONG = 1e-22, 1e9
# How much longer than it is evaluated the drift is followed, in slow time: to its limit.
REST = 1.5
# Fractions of the loss of the fitted net, and how long and how finely a run with weight decay is followed through them.
LEVELS = (0.8, 0.5, 0.2)
AFTER, MOMENTS = 8.0, 300


def make_problem(key, n, d, sparsity) -> Problem[Split]:
    """Gaussian inputs and a sparse ground truth of norm 1, without noise."""
    return regression.make_problem(key, n, d, sparsity, 0.0)


def split(problem: Problem[Split]) -> Split:
    """The samples."""
    return problem.train


def population_loss(problem: Problem[Split], net):
    """The mean squared error on fresh samples: inputs are isotropic."""
    return jnp.sum((net.effective() - problem.truth) ** 2)


def settle(problem: Problem[Split], *, d, alpha) -> Trajectory:
    """The gradient flow without noise from every weight at alpha, until it fits."""
    return regression.interpolate(problem, regression.begin(d, alpha=alpha), until=LONG, relative_loss=FITTED)


def drift(problem: Problem[Split], settled, *, log_alpha, slow, read) -> Trajectory:
    """The slow drift from the limit of the flow without noise, in slow time."""
    data = split(problem)
    form = Flattening(data=data, w=settled, log_kappa=jnp.full(data.d, 2 * log_alpha))
    return FLOW.follow(form, dfx.Tsit5(), slow, read)


def flutter(data: Split, net) -> dict:
    r"""What noise of standard deviation 1 adds to the losses near an interpolant, per unit learning rate, to first order.

    The parameters fluctuate along the gradients with variance $\eta\sigma^2$ each; so outputs fluctuate with
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


def noisy_curves(problem: Problem[Split], dynamics, keys, *, d, alpha, counts) -> dict:
    """Losses and weights at these step counts, a row for each SGD seed."""
    objective = Objective(problem.train, Squared(), reduction="mean")
    read = {"train": objective, "test": lambda net: population_loss(problem, net), "effective": lambda net: net.effective()}

    def one(key):
        path = dynamics(key).run(objective, DiagonalNet.at_scale(alpha, dim=d), counts, read=read)
        return {**path.reads, "outcome": path.outcome.code}

    return jax.vmap(one)(keys)


def predicted_curves(problem: Problem[Split], *, d, alpha, slow) -> dict:
    """The prediction: weights and loss along the drift, what noise adds to losses, and the loss of the limit."""
    settled = settle(problem, d=d, alpha=alpha)
    read = {
        "effective": lambda net: net.effective(),
        "predicted": lambda net: population_loss(problem, net),
        "flutter": lambda net: flutter(split(problem), net),
    }
    # No two times the same, and a last one at rest.
    times = jnp.append(slow + 1e-9 * jnp.arange(slow.size), slow[-1] + REST)
    path = drift(problem, settled.end.effective(), log_alpha=jnp.log(alpha), slow=times, read=read)
    return {
        "drift": path.reads["effective"][:-1],
        "predicted": path.reads["predicted"][:-1],
        "rest": path.reads["predicted"][-1],
        "flutter": path.reads["flutter"]["test"][:-1],
        "flutter_train": path.reads["flutter"]["train"][:-1],
        "outcome": jnp.where(settled.outcome.code == Outcome.STOPPED, path.outcome.code, Outcome.STEP_LIMIT),
    }


def simulate(key, problem, *, d, alpha, learning_rate, noise, span, moments, draws):
    r"""Losses of label-noise SGD at $\eta^2\,$steps up to `span`, beside the predicted drift."""
    counts = step_counts(span / learning_rate**2, moments)
    clock = counts * learning_rate**2
    predicted = predicted_curves(problem, d=d, alpha=alpha, slow=noise**2 * clock)
    seen = noisy_curves(
        problem,
        lambda key: LabelNoiseSGD(key, learning_rate=learning_rate, noise=noise),
        jr.split(jr.fold_in(key, 2), draws),
        d=d,
        alpha=alpha,
        counts=counts,
    )
    return compared(clock, predicted, seen, learning_rate * noise**2)


def compared(clock, predicted: dict, seen: dict, size) -> dict:
    r"""Theory and the mean over SGD seeds side by side, with the worst of their outcomes, and when they fit and cross `LEVELS`.

    `from_drift` and `from_settled` are mean squared distances of the weights from the drift and from its first point. `size` is
    what noise adds to losses, over what noise of standard deviation 1 adds per unit learning rate: it is subtracted before
    times are taken.
    """
    weights, drift = seen["effective"], predicted.pop("drift")
    train, test = seen["train"].mean(0), seen["test"].mean(0)
    first, fitted = predicted["predicted"][0], train - size * predicted["flutter_train"]
    return {
        **predicted,
        "clock": clock,
        "train": train,
        "test": test,
        "from_drift": jnp.sum((weights - drift) ** 2, axis=-1).mean(0),
        "from_settled": jnp.sum((weights - drift[0]) ** 2, axis=-1).mean(0),
        "moved": jnp.sum((drift - drift[0]) ** 2, axis=-1),
        "memorization": first_below(Curve(clock, fitted / train[0], "training loss"), 0.5).value,
        "passes": passages(clock, test - size * predicted["flutter"], first),
        "predicted_passes": passages(clock, predicted["predicted"], first),
        "outcome": jnp.maximum(predicted["outcome"], seen["outcome"].max()),
    }


def passages(times, loss, first):
    """When a loss has fallen to `LEVELS`, as fractions of its first value."""
    return jnp.stack([first_crossing(times, -loss, -level * first) for level in LEVELS])


@jax.jit
def decay_passages(problem: Problem[Split], log_alpha):
    r"""The same times of the flow with vanishing weight decay, in units of $1/\lambda$, for each of these scales."""
    objective = Objective(problem.train, Squared(), reduction="mean", penalties=[(L2(), 1.0)])
    read = {"test": lambda net: population_loss(problem, net)}

    def one(size):
        times = jnp.linspace(0.0, size + AFTER, MOMENTS)
        init = DiagonalNet.at_scale(jnp.exp(size), dim=split(problem).d)
        path = SlowManifold(rtol=1e-7, atol=1e-9).run(objective, init, times, read=read)
        return passages(times, path.reads["test"], path.reads["test"][0])

    return jax.lax.map(one, log_alpha)


PARAMS = (
    Param("n", 16, 40, low=4, high=1_000, unit="samples", static=True),
    Param("d", 32, 100, low=8, high=2_000, unit="dimensions", static=True),
    Param("sparsity", 2, 3, low=1, high=100, unit="nonzero entries of the ground truth", static=True),
    Param("alpha", 0.5, low=0.05, high=10.0, unit="initialization scale"),
    Param("moments", 60, smoke=30, low=20, high=2_000, unit="times on the curve", static=True),
    Param("draws", 4, smoke=2, low=1, high=1_000, unit="SGD seeds a trial", static=True),
)
NOISE = Param("noise", 1.0, low=1e-3, high=10.0, unit="standard deviation of the label noise")

RETURNS = {
    **dict.fromkeys(("clock", "train", "test", "predicted", "flutter", "flutter_train"), "t"),
    **dict.fromkeys(("from_drift", "from_settled", "moved"), "t"),
    **dict.fromkeys(("passes", "predicted_passes"), "m"),
    **dict.fromkeys(("memorization", "rest", "outcome"), ""),
}

RATES = (5e-3, 2.5e-3)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        *PARAMS,
        NOISE,
        Param("learning_rate", RATES, (1e-3, 5e-4), smoke=(1e-2, 5e-3), low=1e-6, high=0.1, unit="learning rate"),
        Param("span", 0.55, smoke=0.3, low=0.01, high=10.0, unit=r"$\eta^2\times$ steps at the end"),
    ],
    returns=RETURNS,
)
