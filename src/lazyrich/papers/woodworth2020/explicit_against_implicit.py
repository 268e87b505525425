r"""Explicit decay and the logistic loss lead to least $\|\beta\|_{2/D}$, the squared loss from small starts to least l1."""

import diffrax as dfx
import jax
import jax.numpy as jnp

from ...dynamics import GradientFlow, loss_below
from ...lab import Param, Simulation
from ...losses import SUM, Logistic, Squared
from ...models import DiagonalNet
from ...objective import Objective
from ...problems import Split
from ...regularizers import L2
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Event, Line, Panel, Points

# Few unknowns, so that plain flows with decay are cheap; reduced ones lose digits as decay goes on.
PLAIN = GradientFlow(solver=dfx.Tsit5(), rtol=1e-7, atol=1e-9, reduce=None, max_steps=1_000_000)
REDUCED = GradientFlow(solver=dfx.Tsit5(), rtol=1e-10, atol=1e-12, land=False, max_steps=1_000_000)


def shared(m: int, gain) -> Split:
    r"""$m$ samples, each of a unit of its own, and one unit that all share: $x_n = (e_n, k)$, $y_n = 1$.

    Two answers are sparse: all ones on the own units, with $\|\beta\|_p^p = m$, or $1/k$ on the shared one, with $k^{-p}$.
    """
    return Split(jnp.concatenate([jnp.eye(m), jnp.full((m, 1), gain)], axis=1), jnp.ones(m))


def portion(effective, gain):
    """What the shared unit gives of the outputs."""
    return gain * effective[-1] / jnp.mean(effective[:-1] + gain * effective[-1])


def starts(m: int, gain, depth: int, low) -> DiagonalNet:
    """One start near each sparse answer, stacked, with what it does not use at a low level."""
    rest = jnp.full(m + 1, low)
    own, common = rest.at[:-1].set(1.0), rest.at[-1].set(gain ** (-1 / depth))
    return jax.vmap(lambda side: DiagonalNet(side, rest, depth))(jnp.stack([own, common]))


def simulate(*, m, exponent, depth, scale, decay, until, low):
    """The shared unit's part: by the squared loss from small weights, by decay and by logistic loss from the better start."""
    gain = m**-exponent
    data = shared(m, gain)
    squared, logistic = (Objective(data, loss, factor=SUM) for loss in (Squared(), Logistic()))
    decayed = Objective(data, Squared(), factor=SUM, penalties=[(L2(), decay)])
    small = DiagonalNet.at_scale(scale ** (1 / depth), dim=m + 1, depth=depth)
    horizon = jnp.array([0.0, 1e4]) * small.u[0] ** (2 - depth)
    rich = REDUCED.run(
        squared, small, horizon, {"effective": lambda net: net.effective()}, loss_below(squared, 1e-10 * m)
    )
    told, codes = {"squared": portion(rich.reads["effective"][-1], gain)}, [rich.outcome.code]
    both = starts(m, gain, depth, low)
    for name, goal, flow, time in (("decayed", decayed, PLAIN, 10 / decay), ("logistic", logistic, REDUCED, until)):

        def follow(start, goal=goal, flow=flow, time=time):
            path = flow.run(goal, start, jnp.stack([0.0, time]), {"net": _weights})
            return *_seen(path, data, gain, depth), path.outcome.code

        parts, costs, code = jax.vmap(follow)(both)
        told[name] = parts[jnp.argmin(costs)]
        codes.append(jnp.max(code))
    return {**told, "outcome": jnp.max(jnp.stack(codes))}


def _weights(net):
    return jnp.stack(net.parameters())


def _seen(path, data: Split, gain, depth: int):
    r"""The shared unit's part, and $\|\theta\|^2$ once the least output is brought to one."""
    u, v = path.reads["net"][-1]
    effective = DiagonalNet(u, v, depth).effective()
    return portion(effective, gain), jnp.sum(u**2 + v**2) / jnp.min(data.x @ effective) ** (2 / depth)


SIMULATION = Simulation(
    simulate,
    params=[
        Param(
            "exponent",
            (0.7, 1.25, 1.75, 2.3),
            smoke=(0.7, 1.75),
            low=0.0,
            high=5.0,
            unit="e: the gain of the shared unit is m^-e",
        ),
        Param("depth", (3, 4), (2, 3, 4), smoke=(3,), low=2, high=6, unit="layers", static=True),
        Param("m", 4, 8, smoke=3, low=2, high=100, unit="samples", static=True),
        Param("scale", 1e-8, smoke=1e-4, low=1e-12, high=1.0, unit="alpha^D of the small start"),
        Param("decay", 0.03, 0.01, smoke=0.1, low=1e-4, high=1.0, unit="strength of L2"),
        Param("until", 1e8, smoke=1e3, low=1.0, high=1e30, unit="time of the logistic flow"),
        Param("low", 0.3, low=1e-3, high=1.0, unit="weights that a start does not use"),
    ],
    returns=dict.fromkeys(("squared", "decayed", "logistic", "outcome"), ""),
    random=False,
)


def judge(data, exponent, depth, bend) -> Evidence:
    """The shared unit's part against that of the sparse answer with the least norm."""
    norm = (exponent < 1 + bend * (depth / 2 - 1)).astype(float)
    plain = (exponent < 1).astype(float)
    return Evidence(
        holds=[
            at_most(
                "squared loss from small weights: farthest from least l1",
                abs(data.squared - plain).max(),
                0.05,
                why="weights off the support are a power of alpha^D = 1e-8, at least its 0.3",
            ),
            at_most(
                "decay: farthest from least l_(2/D)",
                abs(data.decayed - norm).max(),
                0.05,
                why="what is not used has decayed for ten times 1/decay",
            ),
            at_most(
                "logistic loss: farthest from least l_(2/D)",
                abs(data.logistic - norm).max(),
                0.1,
                why="what is not used stays of the size of its start while outputs grow to log(until), about 18",
            ),
        ],
    )


def draw(data, exponent, depth) -> Drawing:
    """The shared unit's part against its gain, for the three kinds of training, by depth."""
    panels = [
        Panel(
            [
                Points("squared, small start", exponent.values, data.squared.sel(depth=k).values),
                Line("decay", exponent.values, data.decayed.sel(depth=k).values, role="second"),
                Line("logistic", exponent.values, data.logistic.sel(depth=k).values, role="control"),
                Event("l1 changes", 1.0),
                Event("l_(2/D) changes", float(k) / 2),
            ],
            x=Axis("e: the shared unit has the gain m^-e"),
            y=Axis("part of the shared unit", low=-0.05, high=1.1),
            title=f"Depth {int(k)}",
        )
        for k in depth.values
    ]
    return Drawing(
        panels=panels,
        columns=3,
        caption="Each sample can be fitted by a unit of its own or all by a shared one of small gain. Trained on the "
        "squared loss from "
        "small weights the shared unit is used up to e = 1, as l1 has it, at every depth; with decay or the logistic "
        "loss, "
        "from the better of two starts, up to e = D/2.",
    )


CLAIM = Claim(
    kind="statement",
    title="Explicit decay prefers l_(2/D), the implicit bias l1",
    says="For u^D - v^D least |theta|^2 is least |beta|_(2/D), which is where L2 regularization and the logistic "
    "loss lead (the better of "
    "their local minima), while the squared loss from vanishing starts leads to least l1 at every depth.",
    source="woodworth2020, section 5, after theorem 3",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"bend": 1.0},
    control=Control(
        "l1 for all of them",
        changes={"bend": 0.0},
        breaks=("decay: farthest from least l_(2/D)", "logistic loss: farthest from least l_(2/D)"),
    ),
    seconds={"quick": 50, "paper": 60},
)
