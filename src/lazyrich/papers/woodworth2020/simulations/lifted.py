r"""One factorization followed three ways: all columns, as few as its rows span, and as the lifted matrix $WW^\top$ alone."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientFlow
from ....inits import gaussian
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....losses import Squared
from ....models import LinearNet
from ....objective import Objective
from ....problems import Entries, Problem, low_rank_product

RTOL, ATOL = 1e-9, 1e-11
FLOW = {"solver": dfx.Tsit5(), "rtol": RTOL, "atol": ATOL}


def make_problem(key, d, n) -> Problem[Entries]:
    """The product of two Gaussian vectors, of which n entries are known."""
    return low_rank_product(jr.fold_in(key, 0), rows=d, cols=d, rank=1, n=n)


def lift(net: LinearNet):
    r"""$\bar M = [U; V][U; V]^\top$."""
    rows = jnp.concatenate([net.u, net.v])
    return rows @ rows.T


def slope(problem: Problem[Entries], lifted):
    r"""$\nabla\tilde L(\bar M) = 2\sum_n(\langle\bar X_n, \bar M\rangle - y_n)\bar X_n$ for entries of the upper right block."""
    data, d = problem.train, problem.truth.shape[0]
    residual = lifted[data.rows, d + data.cols] - data.y
    half = jnp.zeros_like(lifted).at[data.rows, d + data.cols].add(residual)
    return half + half.T


def follow_lifted(problem: Problem[Entries], init, times):
    r"""$\dot{\bar M} = -2(\nabla\tilde L\,\bar M + \bar M\,\nabla\tilde L)$, from a lifted matrix."""

    def field(t, lifted, args):
        half = slope(problem, lifted) @ lifted
        return -2 * (half + half.T)

    control = dfx.PIDController(rtol=RTOL, atol=ATOL)
    found = dfx.diffeqsolve(
        dfx.ODETerm(field),
        dfx.Tsit5(),
        times[0],
        times[-1],
        None,
        init,
        saveat=dfx.SaveAt(ts=times),
        stepsize_controller=control,
        max_steps=100_000,
        throw=False,
    )
    assert found.ys is not None, "every time was asked for"
    return found.ys


def simulate(key, problem, *, d, width, alpha, tilt, until, moments):
    r"""The lifted matrices along the three flows, their time derivative, and the products in its equation."""
    objective = Objective(problem.train, Squared(), reduction="sum")
    init = gaussian(jr.fold_in(key, 1), LinearNet.at_zero(dim=d, outputs=d, width=width), scale=alpha)
    other = LinearNet(u=init.u * tilt, v=init.v / tilt)
    times = jnp.linspace(0.0, until, moments)
    read = {"lifted": lift}
    wide = GradientFlow(**FLOW, reduce=None).run(objective, init, times)
    narrow = GradientFlow(**FLOW, reduce="auto").run(objective, other, times, read=read)

    def rates(net):
        moved = jax.tree.map(lambda part: -part, jax.grad(objective)(net))
        return jax.jvp(lift, (net,), (moved,))[1]

    def terms(lifted):
        half = slope(problem, lifted) @ lifted
        return half + half.T

    path = jax.vmap(lift)(wide.models)
    return {
        "time": times,
        "wide": path.reshape(moments, -1),
        "narrow": narrow.reads["lifted"].reshape(moments, -1),
        "alone": follow_lifted(problem, lift(other), times).reshape(moments, -1),
        "product": path[:, :d, d:].reshape(moments, -1),
        "rates": jax.vmap(rates)(wide.models).reshape(moments, -1),
        "terms": jax.vmap(terms)(path).reshape(moments, -1),
        "outcome": jnp.maximum(wide.outcome.code, narrow.outcome.code),
        "steps": wide.outcome.steps,
    }


SCALES = (0.03, 0.1, 0.3, 1.0)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("alpha", (0.1, 1.0), SCALES, smoke=(0.3,), low=1e-3, high=10.0, unit="standard deviation of weights"),
        Param("tilt", 1.0, low=0.1, high=10.0, unit="factor on $U$, divisor of $V$"),
        Param("d", 4, 10, low=2, high=50, unit="rows and columns", static=True),
        Param("n", 10, 60, low=1, high=2_500, unit="known entries", static=True),
        Param("width", 20, 100, low=1, high=5_000, unit="columns of a factor", static=True),
        Param("until", 2.0, low=1e-3, high=1e3, unit="time"),
        Param("moments", 21, low=2, high=1_000, unit="recorded times", static=True),
    ],
    returns={
        "time": "t",
        **dict.fromkeys(("wide", "narrow", "alone", "rates", "terms"), "t m"),
        "product": "t e",
        "outcome": "",
        "steps": "",
    },
)
