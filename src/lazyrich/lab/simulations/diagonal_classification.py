"""A diagonal net with weight decay on two classes: the experiments of grokking and of misgrokking."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow, Trajectory
from ...inits import constant
from ...losses import AbstractLoss, Logistic
from ...measures import accuracy
from ...models import DiagonalNet
from ...objective import Objective
from ...problems import Problem, Split, margin_classification, sparse_classification
from ...problems.base import AbstractSignLaw
from ...regularizers import L2

# Late steps are limited by stability, not accuracy: the third-order solver needs two thirds of the evaluations of the
# fifth-order one, and the accuracy curve is within 1e-4 of that at a tolerance of 1e-9.
CURVES = GradientFlow(solver=dfx.Bosh3(), rtol=1e-6, atol=1e-6, land=False)
# At alpha up to e^128 the late flow is stiff in the logarithm of time.
LIMITS = GradientFlow(solver=dfx.Kvaerno5(), rtol=1e-6, atol=1e-6)


def make_problem(key, n, d, sparsity) -> Problem[Split]:
    """Points of the hypercube labeled by a sparse majority; no test set: the test accuracy is known in closed form."""
    return sparse_classification(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, test=0)


def make_separated(key, n, d, gap) -> Problem[Split]:
    """Gaussian points separated by a margin along a dense direction; no test set."""
    return margin_classification(jr.fold_in(key, 0), n=n, d=d, gap=gap, test=0)


def begin(d: int, *, alpha, convention, depth: int = 2) -> DiagonalNet:
    """A net with all weights equal, so that its output is zero."""
    return constant(DiagonalNet.at_scale(1.0, dim=d, depth=depth), alpha, convention=convention)


def advance(problem: Problem[Split], init, times, *, weight_decay, loss: AbstractLoss, read, flow: GradientFlow) -> Trajectory:
    """Gradient flow of the mean loss with weight decay, with readings of the net at these times."""
    objective = Objective(problem.train, loss, reduction="mean", penalties=[(L2(), weight_decay)])
    return flow.run(objective, init, times, read=read)


def accuracy_curves(problem: Problem[Split], *, d: int, alpha, weight_decay, horizon, moments: int) -> Trajectory:
    r"""Training and test accuracy and the linear predictor along gradient flow of the logistic loss, from norm $\alpha$."""
    law = problem.law
    assert isinstance(law, AbstractSignLaw), "an accuracy needs a law with labels"
    read = {
        "train": lambda net: accuracy(net, problem.train),
        "test": lambda net: law.accuracy(net.effective()),
        "effective": lambda net: net.effective(),
    }
    init, times = begin(d, alpha=alpha, convention="norm"), curve_times(horizon, moments)
    return advance(problem, init, times, weight_decay=weight_decay, loss=Logistic(), read=read, flow=CURVES)


def curve_times(horizon, count: int):
    """Zero, a third of the times logarithmically over the first hundredth, the rest evenly up to the horizon."""
    early = count // 3
    knee = horizon / 100
    log_part = jnp.geomspace(knee * 1e-4, knee, early)
    return jnp.concatenate([jnp.zeros(1), log_part, jnp.linspace(knee, horizon, count - early)[1:]])
