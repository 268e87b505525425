"""Lemma 12: the bound on the move of the weights, and the radius behind it."""

import numpy as np

from ...lab.settings.matrix_sensing import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel
from .kernel_bounds import applies, move_bound


def judge(data, mu, constant) -> Evidence:
    """At every time the move is within the bound, and the bound within the radius in which the rate is at least mu lambda."""
    meant = applies(data, mu)
    bound = move_bound(data, mu)
    radius = np.sqrt(mu * (1 + data.low / (4 * data.high))) - np.sqrt(mu + data.gamma)
    share = data.low / data.high
    least = share / np.sqrt(2 * (1 + share / 4))
    worst = (data.move / (constant * bound)).max("t", skipna=False).where(meant)
    rate = data.miss / (data.miss.isel(t=0) * np.exp(-mu * data.low * data.time))
    return Evidence(
        sound=[
            at_least(
                "share of runs that meet the hypotheses", meant.mean(), 0.5, why="the lemma is silent on the others"
            )
        ],
        holds=[
            at_most("largest move over its bound", worst.max(), 1, why="the lemma's own constant"),
            at_most(
                "the bound over the radius of the proof",
                (bound / radius).where(meant).max(),
                1 + 1e-9,
                why="equation 81; equal where the second hypothesis is met with equality",
            ),
            at_most(
                "residual over |r| exp(-mu lambda t), while it is above 1e-6",
                rate.where(meant & (data.miss > 1e-6 * data.miss.isel(t=0))).max(),
                1 + 1e-6,
                why="equation 79: inside that radius outputs near their targets at least at the rate mu lambda",
            ),
            at_least(
                "largest move over the least of the kernel limit, the least over conditions",
                (worst / least).max(("mu", "width", "trial")).min(),
                0.9,
                why="tightness: in the kernel limit the move is |r|/sqrt(2 mu Lambda) at least, lambda/Lambda over sqrt(2 (1 + "
                "lambda/4 Lambda)) of the bound; a tenth for finite mu",
            ),
        ],
    )


def draw(data, mu) -> Drawing:
    """The move along the flow of one draw, over its bound."""
    one = data.isel(trial=0, width=-1, condition=0)
    share = one.move / move_bound(one, mu)
    lines = [Line(f"mu = {m:g}", m * one.time.sel(mu=m).values[1:], share.sel(mu=m).values[1:]) for m in mu.values]
    return Drawing(
        [Panel(lines, x=Axis("mu * time", scale="log"), y=Axis("move of the weights over the bound", low=0, high=1))],
        columns=1,
        caption="How far the weights have gone, over the lemma's bound: it is reached to two thirds, whatever mu.",
    )


CLAIM = Claim(
    kind="lemma",
    title="The weights stay within a ball of radius |r| / sqrt(mu)",
    says="Under the hypotheses of theorem 9 the weights move at most sqrt(Lambda + lambda/4) |r| / (lambda "
    "sqrt(mu)), at all times.",
    source="woodworth2020, lemma 12",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"constant": 1.0},
    control=Control("half the constant", changes={"constant": 0.5}, breaks=("largest move over its bound",)),
    seconds={"quick": 10, "paper": 60},
)
