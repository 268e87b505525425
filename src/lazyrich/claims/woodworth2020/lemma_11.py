"""Lemma 11: while the weights stay within a radius, outputs near their targets exponentially."""

import numpy as np

from ...lab.settings.matrix_sensing import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel

# Below this share of the first residual the solver's tolerance shows.
FLOOR = 1e-6


def judge(data, mu, rate) -> Evidence:
    """The residuals of both models over their bounds, along the flow; the rate is in the clock of half the summed loss."""
    reach = data.move.max("t", skipna=False)
    loss = 4 * data.high * (data.gamma + reach**2 + 2 * reach * np.sqrt(mu + data.gamma))
    shares = {name: data[name] / data[name].isel(t=0) for name in ("miss", "tangent_miss")}
    seen = shares["miss"] > FLOOR
    bounds = (-rate * mu * data.low + loss, -rate * mu * data.low + 4 * data.high * data.gamma)
    over = [
        (np.log(share) - bound * data.time).where(seen & (share > FLOOR))
        for share, bound in zip(shares.values(), bounds, strict=True)
    ]
    fall = -np.log(shares["tangent_miss"].where(seen & (shares["tangent_miss"] > FLOOR))) / (mu * data.low * data.time)
    late = fall.where((data.time > 0) & (data.condition == 1)).min()
    return Evidence(
        sound=[at_least("runs whose bound falls", (bounds[0] < 0).sum(), 1, why="a bound that grows says nothing")],
        holds=[
            at_most(
                "logarithm of the residual over its bound, the net",
                over[0].max(),
                1e-4,
                why="the lemma's own rate; the solver's error is 1e-8 of the start, 1e-2 of the floor at worst, 1e-4 on average",
            ),
            at_most(
                "logarithm of the residual over its bound, the tangent model",
                over[1].max(),
                1e-4,
                why="the lemma's own rate, in closed form",
            ),
            at_most(
                "least rate of the tangent model over mu lambda, condition 1",
                late,
                2.2,
                why="tightness: exactly 2 from the round start, where X X^T = lambda I; gamma/mu adds a few hundredths",
            ),
        ],
    )


def draw(data, mu) -> Drawing:
    """The residual of one draw against its bound."""
    one = data.isel(trial=0, width=-1, condition=-1, mu=-1)
    scale = float(mu.values[-1])
    time = scale * one.time.values
    kept = time < 8
    reach = one.move.max("t")
    loss = 4 * one.high * (one.gamma + reach**2 + 2 * reach * np.sqrt(scale + one.gamma))
    bound = np.exp((-2 * scale * one.low + loss) * one.time)
    return Drawing(
        [
            Panel(
                [
                    Line("net", time[kept], (one.miss / one.miss[0]).values[kept]),
                    Line(
                        "tangent model",
                        time[kept],
                        (one.tangent_miss / one.tangent_miss[0]).values[kept],
                        role="second",
                    ),
                    Line("bound", time[kept], bound.values[kept], role="theory"),
                ],
                x=Axis("mu * time"),
                y=Axis("residual over the first one", scale="log", low=1e-7),
            )
        ],
        columns=1,
        caption="Residuals along the flow, at the largest mu, with the bound whose radius is the move that was seen.",
    )


CLAIM = Claim(
    kind="lemma",
    title="Exponential rate while the weights stay near their start",
    says="If the weights stay within R of their start, |y(t) - y*| <= |y(0) - y*| exp(-2 mu lambda t + 4 Lambda (gamma + R^2 + "
    "2 R sqrt(mu + gamma)) t), and the tangent model the same without R; for half the summed loss.",
    source="woodworth2020, lemma 11",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"rate": 2.0},
    control=Control(
        "twice the rate: the clock of the summed loss",
        changes={"rate": 4.0},
        breaks=(
            "logarithm of the residual over its bound, the net",
            "logarithm of the residual over its bound, the tangent model",
        ),
    ),
    seconds={"quick": 10, "paper": 60},
)
