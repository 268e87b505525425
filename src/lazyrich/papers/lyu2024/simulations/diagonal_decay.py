r"""A diagonal net with weight decay $\lambda = \lambda_1\alpha^{-p}$ on regression, up to a multiple of $\log\alpha/\lambda$."""

import jax
import jax.numpy as jnp

from ....dynamics import GradientFlow, Trajectory
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.diagonal_regression import make_problem
from ....losses import Squared
from ....models import DiagonalNet, LogDiagonalNet
from ....numerics.row_space import row_space
from ....objective import Objective
from ....problems import Problem, Split
from ....regularizers import L2

# Errors of the implicit method decay like the residuals do: distances of 1e-8 from the limit are right to a thousandth.
# Finer tolerances are below the rounding of a stiff field, and cost thousands of rejected steps.
FLOW = GradientFlow(rtol=1e-6, atol=1e-7, max_steps=20_000)


def advance(problem: Problem[Split], *, d, depth, log_alpha, weight_decay, times, read) -> Trajectory:
    """Follow the mean squared loss with weight decay from every weight at alpha, and read the net."""
    objective = Objective(problem.train, Squared(), reduction="mean", penalties=[(L2(), weight_decay)])
    return FLOW.run(objective, DiagonalNet.at_scale(jnp.exp(log_alpha), dim=d, depth=depth), times, read=read)


def moments(fast, until, count: int):
    """Zero, then half of the times evenly in the logarithm from the fastest one, the rest evenly to the end."""
    early = count // 2
    return jnp.concatenate(
        [jnp.zeros(1), jnp.geomspace(fast, until / 20, early), jnp.linspace(until / 20, until, count - early)[1:]]
    )


def tangent_kernel(net: LogDiagonalNet, x, log_size):
    r"""The tangent kernel at $e^{-s}\theta$ with $s$ = `log_size`: $D^2X(u^{2(D-1)} + v^{2(D-1)})X^\top$."""
    power = 2 * (net.depth - 1)
    u, v = (jnp.exp(power * (net.middle + sign * net.half - log_size)) for sign in (1, -1))
    return net.depth**2 * (x * (u + v)) @ x.T


def simulate(key, problem, *, n, d, depth, log_alpha, power, strength, relative_time, count):
    r"""Residuals and parameters along the flow to `relative_time` times $\log\alpha/\lambda$.

    `held` is $-\frac{nD\lambda}2K(\theta)^{-1}y$: where the data balance weight decay; `dual` is
    $K(\bar\theta)^{-1}y$. `least` is the smallest eigenvalue of the tangent kernel at $e^{\lambda t}\theta/\alpha$.
    `stationarity` is $\min_\nu\|\theta - \Phi\nu\|/\|\theta\|$ over combinations of gradients, `slope` the gradient's norm over
    $\lambda\|\theta\|$. `moved` and `aside` are the lengths of $\delta = e^{\lambda t}\theta/\alpha - \bar\theta$ and of its part
    outside the span of the gradients at initialization; `direction` is the last $\delta$.
    """
    data, weight_decay = problem.train, strength * jnp.exp(-power * log_alpha)
    x, y = data.x, data.y
    still = tangent_kernel(LogDiagonalNet.at_scale(1.0, dim=d, depth=depth), x, 0.0)
    fast = 0.01 * n / jnp.trace(still) * jnp.exp(-2 * (depth - 1) * log_alpha)
    times = moments(fast, relative_time * log_alpha / weight_decay, count)
    frame = row_space(x)

    def read(net: LogDiagonalNet):
        size = jnp.max(net.middle + jnp.abs(net.half))
        kernel = tangent_kernel(net, x, size)
        held = -n * depth * weight_decay / 2 * jnp.exp(-2 * (depth - 1) * size) * jnp.linalg.solve(kernel, y)
        return {"residual": x @ net.effective() - y, "held": held, **_stationary(net, data, weight_decay)}

    path = advance(
        problem, d=d, depth=depth, log_alpha=log_alpha, weight_decay=weight_decay, times=times, read={"all": read, "net": _halves}
    )
    middle, half = path.reads["net"]
    log_size = (log_alpha - weight_decay * times)[:, None]
    plus, minus = (jnp.expm1(middle + sign * half - log_size) for sign in (1, -1))
    inside = (plus - minus) / 2 @ frame.T
    square = jnp.sum(plus**2 + minus**2, axis=1)
    across = (plus - minus) / 2 - inside @ frame
    powers = (1 + plus) ** (2 * (depth - 1)) + (1 + minus) ** (2 * (depth - 1))
    kernels = depth**2 * jnp.einsum("ik,tk,jk->tij", x, powers, x)
    return {
        **path.reads["all"],
        "time": times,
        "log_size": log_size[:, 0],
        "least": jax.lax.map(jnp.linalg.eigvalsh, kernels)[:, 0],
        "first_least": jnp.linalg.eigvalsh(still)[0],
        "moved": jnp.sqrt(square),
        "aside": jnp.sqrt(2 * jnp.sum(across**2, axis=1) + jnp.sum((plus + minus) ** 2, axis=1) / 2),
        "direction": jnp.concatenate([plus[-1], minus[-1]]),
        "effective": path.end.effective(),
        "labels": y,
        "dual": jnp.linalg.solve(still, y),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


def _halves(net: LogDiagonalNet):
    return net.middle, net.half


def _stationary(net: LogDiagonalNet, data: Split, weight_decay):
    """How far the parameters are from a combination of gradients, by the best multipliers and by those of the flow."""
    theta = jnp.concatenate([net.u, net.v])
    u, v = (net.depth * part ** (net.depth - 1) for part in (net.u, net.v))
    rows = jnp.concatenate([data.x * u, -data.x * v], axis=1)
    lengths = jnp.linalg.norm(rows, axis=1, keepdims=True)
    best = jnp.linalg.lstsq((rows / lengths).T, theta)[0]
    size = jnp.linalg.norm(theta)
    own = 2 / (data.n * weight_decay) * (data.x @ net.effective() - data.y)
    return {
        "stationarity": jnp.linalg.norm(theta - best @ (rows / lengths)) / size,
        "slope": jnp.linalg.norm(theta + own @ rows) / size,
        "size": size,
    }


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        # At depth 2 and c = 0.3 a fall of 8 has alpha = e^13, where one trial in some hundred stops moving for rounding.
        Param("fall", (5.5, 7.5), (5.0, 7.0, 9.0), smoke=(6.0, 8.0), low=2.0, high=12.0, unit=r"rate times $\log\alpha$"),
        Param("depth", (2, 3), (2, 3, 4), smoke=(2,), low=2, high=5, unit="degree $D$", static=True),
        Param(
            "power", (0.0, 1.0), (0.0, 1.0, 2.0), smoke=(1.0,), low=0.0, high=3.0, unit=r"$p$ in $\lambda = \lambda_1\alpha^{-p}$"
        ),
        Param("away", (0.3, 0.8), (0.3, 0.5, 0.8), smoke=(0.5,), low=0.05, high=0.95, unit="$c$"),
        Param("rate", "=minimum(2*away*depth, 2*(depth-1)*away+power)", unit=r"predicted power of $\alpha$"),
        Param("log_alpha", "=fall/rate", low=0.5, high=100.0, unit=r"$\log\alpha$"),
        Param("relative_time", "=1-away", low=0.05, high=3.0, unit=r"time over $\log(\alpha)/\lambda$"),
        # Of the two terms of the law that of weight decay is proportional to it: small where it should be the smaller one.
        Param("strength", "=10**minimum(0, maximum(-2, 4*(2*away-power)))", low=1e-6, high=1.0, unit=r"$\lambda_1$"),
        Param("n", 5, low=2, high=100, unit="samples", static=True),
        Param("d", 20, low=3, high=1_000, unit="dimensions", static=True),
        Param("sparsity", 2, low=1, high=100, unit="nonzero entries of the ground truth", static=True),
        Param("noise", 0.0, low=0.0, high=10.0, unit="standard deviation", static=True),
        Param("count", 16, smoke=12, low=8, high=1_000, unit="times on the curve", static=True),
    ],
    returns={
        **dict.fromkeys(("residual", "held"), "t n"),
        **dict.fromkeys(("time", "log_size", "least", "stationarity", "slope", "size", "moved", "aside"), "t"),
        "direction": "p",
        "effective": "d",
        **dict.fromkeys(("labels", "dual"), "n"),
        **dict.fromkeys(("first_least", "outcome", "steps"), ""),
    },
)
