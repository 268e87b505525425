r"""One linear network three ways: at its own width, compressed to $n + m$ units, and rescaled to weights of unit variance."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientFlow
from ....inits import gaussian
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....losses import Squared
from ....measures.convergence import pace
from ....models import LinearNet
from ....numerics.imbalance import eigenvalues
from ....objective import Objective
from ....problems import Split
from .linear_net_flow import DATA, make_problem

FLOW = {"solver": dfx.Tsit5(), "rtol": 1e-10, "atol": 1e-13}


def compressed(net: LinearNet, lost) -> LinearNet:
    r"""$L$ in $[V; U] = LQ$, $QQ^\top = I$: as many hidden units as rows; the last `lost` of them are set to zero."""
    outputs = net.v.shape[0]
    rows = jnp.linalg.qr(jnp.concatenate([net.v, net.u]).T, mode="r").T
    rows = jnp.where(jnp.arange(rows.shape[1]) < rows.shape[1] - lost, rows, 0.0)
    return LinearNet(u=rows[outputs:], v=rows[:outputs])


def simulate(key, problem, *, d, outputs, width, exponent, clock, lost, efolds, moments):
    r"""Predictors, losses, rates and imbalances of the wide and the compressed network; the predictor of the rescaled one.

    The rescaled network $\tilde U = h^aU$, $\tilde V = h^aV$ has weights of unit variance and the loss
    $\frac{1}{2}\|Y - h^{-2a}X\tilde U\tilde V^\top\|^2$; it is evaluated at $h^{pa}t$ with $p$ = `clock`, which is 2.
    """
    blank = LinearNet.at_zero(dim=d, outputs=outputs, width=width)
    init = gaussian(jr.fold_in(key, 1), blank, scale=width**-exponent)
    x, y = problem.data.x, problem.data.y
    objective = Objective(problem.data, Squared(), reduction="half_sum")
    scale = width ** (1 - 2 * exponent)
    times = jnp.concatenate([jnp.zeros(1), jnp.geomspace(1e-2, 1.0, moments - 1)]) * efolds / scale

    def rate(net):
        return pace(problem.scale, problem.target, problem.seen(net)).rate

    def spectrum(net):
        return eigenvalues(problem.frame @ net.u, net.v)

    read = {"map": lambda net: net.effective(), "loss": objective, "rate": rate, "spectrum": spectrum}
    wide = GradientFlow(**FLOW, reduce=None).run(objective, init, times, read=read)
    narrow = GradientFlow(**FLOW, reduce=None).run(objective, compressed(init, lost), times, read=read)
    small = width ** (-2 * exponent)
    unit = jax.tree.map(lambda part: width**exponent * part, init)
    scaled = Objective(Split(small * x, y), Squared(), reduction="half_sum")
    rescaled = GradientFlow(**FLOW, reduce=None).run(
        scaled, unit, width ** (clock * exponent) * times, read={"map": lambda net: small * net.effective()}
    )
    first = pace(problem.scale, problem.target, problem.seen(init))
    other = pace(small * problem.scale, problem.target, problem.seen(unit))
    return {
        "time": times,
        **{f"wide_{name}": part.reshape(moments, -1) for name, part in wide.reads.items()},
        **{f"narrow_{name}": part.reshape(moments, -1) for name, part in narrow.reads.items()},
        "rescaled_map": rescaled.reads["map"].reshape(moments, -1),
        "guaranteed": first.guaranteed,
        "rescaled_guaranteed": other.guaranteed,
        "output": jnp.linalg.norm(init.effective()),
        "unit_output": jnp.linalg.norm(unit.effective()) / jnp.sqrt(1.0 * width),
        "outcome": jnp.maximum(jnp.maximum(wide.outcome.code, narrow.outcome.code), rescaled.outcome.code),
        "steps": wide.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        *DATA,
        Param("width", 80, 1_000, smoke=20, low=2, high=100_000, unit="hidden units", static=True),
        Param("exponent", (0.35, 0.5, 0.7), smoke=(0.5,), low=0.0, high=2.0, unit="$a$: weights $N(0, h^{-2a})$"),
        Param("clock", 2.0, low=0.0, high=4.0, unit="$p$: the rescaled network is evaluated at $h^{pa}t$"),
        Param("lost", 0, low=0, high=1_000, unit="units of the compressed network set to zero"),
        Param("efolds", 3.0, low=0.1, high=1e3, unit="duration, in units of $h^{2a-1}$"),
        Param("moments", 21, 41, smoke=7, low=3, high=1_000, unit="saved times", static=True),
    ],
    returns={
        "time": "t",
        **{
            f"{net}_{name}": f"t {axis}"
            for net in ("wide", "narrow")
            for name, axis in (("map", "e"), ("loss", "o"), ("rate", "o"), ("spectrum", "m"))
        },
        "rescaled_map": "t e",
        **dict.fromkeys(("guaranteed", "rescaled_guaranteed", "output", "unit_output", "outcome", "steps"), ""),
    },
)
