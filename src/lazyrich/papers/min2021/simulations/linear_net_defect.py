r"""A linear network with all of its weights on underdetermined data: what becomes of the part outside the span of the inputs."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientFlow
from ....inits import gaussian
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....losses import Squared
from ....measures.convergence import pace as pace_of
from ....models import LinearNet
from ....numerics.imbalance import Imbalance, eigenvalues
from ....numerics.row_space import row_space
from ....objective import Objective
from .linear_net_flow import DATA, Reduced, make_problem

RTOL, ATOL = 1e-10, 1e-13
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=RTOL, atol=ATOL, reduce=None)


def begin(key, problem: Reduced, *, width: int, exponent, ratio, amplitude, along_u, along_v) -> LinearNet:
    r"""Gaussian entries of standard deviation $h^{-a}$, the first layer times $\sqrt{\rho}$ and the second divided by it.

    The component of $U_2$ in the row space of $V$ is multiplied by `along_v`, the remaining one in that of $U_1$ by
    `along_u`: 1 and 1 leave the Gaussian initialization, 0 and 0 make it orthogonal.
    """
    size = amplitude * width**-exponent
    blank = LinearNet.at_zero(dim=problem.frame.shape[1], outputs=problem.target.shape[1], width=width)
    net = gaussian(jr.fold_in(key, 1), blank, scale=jnp.stack([size * jnp.sqrt(ratio), size / jnp.sqrt(ratio)]))
    seen = problem.frame.T @ (problem.frame @ net.u)
    left = net.u - seen
    second, both = row_space(net.v), row_space(jnp.concatenate([net.v, problem.frame @ net.u]))
    in_v, in_both = (left @ rows.T @ rows for rows in (second, both))
    return LinearNet(u=seen + left - in_both + along_u * (in_both - in_v) + along_v * in_v, v=net.v)


def drive(problem: Reduced, seen: LinearNet, defect, times, pace):
    r"""$\dot Z = \rho A(E)Z$ along the flow of $(U_1, V)$, and $\int\|SE\|_2$; $\rho$ = `pace` is 1.

    $A = [[0, E^\top S], [SE, 0]]$, with $E$ the error of the layers.
    """
    outputs = seen.v.shape[0]

    def field(t, state, args):
        net, moved, _ = state
        force = problem.scale[:, None] * (problem.target - problem.scale[:, None] * net.effective())
        layers = LinearNet(u=force @ net.v, v=force.T @ net.u)
        turned = jnp.concatenate([force.T @ moved[outputs:], force @ moved[:outputs]])
        return layers, pace * turned, jnp.linalg.norm(force, 2)

    found = dfx.diffeqsolve(
        dfx.ODETerm(field),
        dfx.Tsit5(),
        times[0],
        times[-1],
        None,
        (seen, defect, jnp.zeros(())),
        saveat=dfx.SaveAt(ts=times),
        stepsize_controller=dfx.PIDController(rtol=RTOL, atol=ATOL),
        max_steps=100_000,
        throw=False,
    )
    assert found.ys is not None, "every time was asked for"
    return found.ys[1], found.ys[2]


def simulate(key, problem, *, outputs, width, exponent, ratio, amplitude, along_u, along_v, pace, efolds, moments):
    r"""Gradient flow of all weights: loss, norms, defect $Z = [VU_2^\top; U_1U_2^\top]$, distance to the minimum-norm solution.

    `driven` is $Z$ from its linear equation, `length` is $\int_0^t\|SE\|_2$. `regression` is where linear regression ends from
    the same initial predictor, `predicted` the minimum-norm solution plus $U_2(0)V^\top$ with the final $V$.
    """
    net = begin(key, problem, width=width, exponent=exponent, ratio=ratio, amplitude=amplitude, along_u=along_u, along_v=along_v)
    frame, objective = problem.frame, problem.objective()
    unseen = net.u - frame.T @ (frame @ net.u)
    clock = problem.scale[-1] ** 2 * width ** (1 - 2 * exponent)
    times = jnp.concatenate([jnp.zeros(1), jnp.geomspace(1e-3, 1.0, moments - 1)]) * efolds / clock
    min_norm = frame.T @ (problem.target / problem.scale[:, None])

    def seen(one):
        return LinearNet(u=frame @ one.u, v=one.v)

    def defect(one):
        left = one.u - frame.T @ (frame @ one.u)
        return jnp.concatenate([one.v @ left.T, frame @ one.u @ left.T])

    read = {
        "excess": lambda one: objective(seen(one)),
        "weights": lambda one: jnp.sum((frame @ one.u) ** 2) + jnp.sum(one.v**2),
        "defect": defect,
        "map": lambda one: one.effective(),
    }
    path = FLOW.run(Objective(problem.data, Squared(), reduction="half_sum"), net, times, read=read)
    driven, length = drive(problem, seen(net), defect(net), times, pace)
    maps, end, ends = (
        path.reads["map"],
        path.end,
        Imbalance.of(eigenvalues(*seen(net).parameters()), rows=problem.scale.size, others=outputs),
    )
    inside = jnp.einsum("rd,tdk->trk", frame, maps - min_norm)
    return {
        "time": times,
        "excess": path.reads["excess"],
        "weights": path.reads["weights"],
        "defect": path.reads["defect"].reshape(moments, -1),
        "driven": driven.reshape(moments, -1),
        "length": length,
        "distance": jnp.linalg.norm(maps - min_norm, axis=(1, 2)),
        "unfitted": jnp.linalg.norm(inside, axis=(1, 2)),
        "unseen": jnp.linalg.norm(maps - min_norm - jnp.einsum("rd,trk->tdk", frame, inside), axis=(1, 2)),
        "reached": end.effective().ravel(),
        "min_norm": min_norm.ravel(),
        "regression": (min_norm + unseen @ net.v.T).ravel(),
        "predicted": (min_norm + unseen @ end.v.T).ravel(),
        "top": problem.scale[0] ** 2,
        "bottom": problem.scale[-1] ** 2,
        "level": ends.level,
        "guaranteed": pace_of(problem.scale, problem.target, seen(net), ends).guaranteed,
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        *DATA,
        Param("width", 30, 200, smoke=12, low=1, high=2_000, unit="hidden units", static=True),
        Param("exponent", (0.35, 0.5, 0.7), smoke=(0.5,), low=0.0, high=2.0, unit="$a$: weights $N(0, h^{-2a})$"),
        Param("ratio", (1.0, 4.0), smoke=(1.0,), low=1e-2, high=1e2, unit="scale of $U$ over that of $V$"),
        Param("amplitude", 1.0, low=0.0, high=10.0, unit="scale of the whole initialization"),
        Param("along_u", 1.0, low=0.0, high=1.0, unit="factor on the component of $U_2$ along the rows of $U_1$"),
        Param("along_v", 1.0, low=0.0, high=1.0, unit="factor on the component of $U_2$ along the rows of $V$"),
        Param("pace", 1.0, low=0.0, high=2.0, unit="factor on the linear equation of the defect"),
        Param("efolds", 25.0, low=0.1, high=1e3, unit="duration, in units of 1 / (slowest rate)"),
        Param("moments", 31, 61, smoke=9, low=3, high=1_000, unit="saved times", static=True),
    ],
    returns={
        **dict.fromkeys(("time", "excess", "weights", "length", "distance", "unfitted", "unseen"), "t"),
        **dict.fromkeys(("defect", "driven"), "t m"),
        **dict.fromkeys(("reached", "min_norm", "regression", "predicted"), "e"),
        **dict.fromkeys(("top", "bottom", "level", "guaranteed", "outcome", "steps"), ""),
    },
)
