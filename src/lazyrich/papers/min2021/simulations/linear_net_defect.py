r"""A linear net with all of its weights on under-determined data: the part that no input sees, and what becomes of it."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow
from ...inits import gaussian
from ...losses import HALF_SUM, Squared
from ...measures.convergence import pace as pace_of
from ...models import LinearNet
from ...numerics.imbalance import Imbalance, eigenvalues
from ...numerics.row_space import row_space
from ...objective import Objective
from ..params import Param
from ..simulation import Simulation
from .linear_net_flow import DATA, Reduced, pose

RTOL, ATOL = 1e-10, 1e-13
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=RTOL, atol=ATOL, reduce=None)


def begin(key, problem: Reduced, *, width: int, exponent, ratio, amplitude, along_u, along_v) -> LinearNet:
    r"""Normal entries of deviation $h^{-a}$, the first layer times $\sqrt\rho$ and the second over it.

    Of the part of $U$ that no input sees, what lies along the rows of $V$ is kept `along_v` times, what lies along those of
    $U_1$ beside them `along_u` times: 1 and 1 leave the normal start, 0 and 0 make it orthogonal.
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
    r"""$\dot Z = \rho A(E)Z$ beside the layers, and $\int\|SE\|_2$; $\rho$ = `pace` is 1.

    $A = [[0, E^\top S], [SE, 0]]$ and $E$ the error of the layers, which this flow follows without their unseen part.
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
    r"""The whole net along its flow: error, size, defect $Z = [VU_2^\top; U_1U_2^\top]$ and the map beside the least-norm one.

    `driven` is $Z$ by its own linear equation, `length` $\int_0^t\|SE\|_2$. `unmoved` is the map that linear regression would
    reach from the same first map, `foretold` the one with the unseen part of the start on the last $V$.
    """
    net = begin(
        key, problem, width=width, exponent=exponent, ratio=ratio, amplitude=amplitude, along_u=along_u, along_v=along_v
    )
    frame, goal = problem.frame, problem.goal()
    unseen = net.u - frame.T @ (frame @ net.u)
    clock = problem.scale[-1] ** 2 * width ** (1 - 2 * exponent)
    times = jnp.concatenate([jnp.zeros(1), jnp.geomspace(1e-3, 1.0, moments - 1)]) * efolds / clock
    least = frame.T @ (problem.target / problem.scale[:, None])

    def seen(one):
        return LinearNet(u=frame @ one.u, v=one.v)

    def defect(one):
        left = one.u - frame.T @ (frame @ one.u)
        return jnp.concatenate([one.v @ left.T, frame @ one.u @ left.T])

    read = {
        "excess": lambda one: goal(seen(one)),
        "weights": lambda one: jnp.sum((frame @ one.u) ** 2) + jnp.sum(one.v**2),
        "defect": defect,
        "map": lambda one: one.effective(),
    }
    path = FLOW.run(Objective(problem.data, Squared(), factor=HALF_SUM), net, times, read=read)
    driven, length = drive(problem, seen(net), defect(net), times, pace)
    maps, end, ends = (
        path.reads["map"],
        path.end,
        Imbalance.of(eigenvalues(*seen(net).parameters()), rows=problem.scale.size, others=outputs),
    )
    inside = jnp.einsum("rd,tdk->trk", frame, maps - least)
    return {
        "time": times,
        "excess": path.reads["excess"],
        "weights": path.reads["weights"],
        "defect": path.reads["defect"].reshape(moments, -1),
        "driven": driven.reshape(moments, -1),
        "length": length,
        "distance": jnp.linalg.norm(maps - least, axis=(1, 2)),
        "unfitted": jnp.linalg.norm(inside, axis=(1, 2)),
        "unseen": jnp.linalg.norm(maps - least - jnp.einsum("rd,trk->tdk", frame, inside), axis=(1, 2)),
        "reached": end.effective().ravel(),
        "least": least.ravel(),
        "unmoved": (least + unseen @ net.v.T).ravel(),
        "foretold": (least + unseen @ end.v.T).ravel(),
        "top": problem.scale[0] ** 2,
        "bottom": problem.scale[-1] ** 2,
        "level": ends.level,
        "guaranteed": pace_of(problem.scale, problem.target, seen(net), ends).guaranteed,
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        *DATA,
        Param("width", 30, 200, smoke=12, low=1, high=2_000, unit="hidden units", static=True),
        Param("exponent", (0.35, 0.5, 0.7), smoke=(0.5,), low=0.0, high=2.0, unit="a: weights of deviation h^-a"),
        Param("ratio", (1.0, 4.0), smoke=(1.0,), low=1e-2, high=1e2, unit="first layer over the second"),
        Param("amplitude", 1.0, low=0.0, high=10.0, unit="of the whole start"),
        Param("along_u", 1.0, low=0.0, high=1.0, unit="of the unseen part along the seen one, what is kept"),
        Param("along_v", 1.0, low=0.0, high=1.0, unit="of the unseen part along the second layer, what is kept"),
        Param("pace", 1.0, low=0.0, high=2.0, unit="of the defect's own equation"),
        Param("efolds", 25.0, low=0.1, high=1e3, unit="time, over that of the slowest rate"),
        Param("moments", 31, 61, smoke=9, low=3, high=1_000, unit="times", static=True),
    ],
    returns={
        **dict.fromkeys(("time", "excess", "weights", "length", "distance", "unfitted", "unseen"), "t"),
        **dict.fromkeys(("defect", "driven"), "t m"),
        **dict.fromkeys(("reached", "least", "unmoved", "foretold"), "e"),
        **dict.fromkeys(("top", "bottom", "level", "guaranteed", "outcome", "steps"), ""),
    },
)
