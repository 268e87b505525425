r"""Theorem 9, lemmas 11 and 12: a factorization with $W(0)W(0)^\top$ near $\mu I$ stays near its tangent model."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Line, Points
from ...claims.marks import RAMP, family, log_axis, one_panel
from .shared.readings import power
from .simulations.matrix_sensing import SIMULATION

# Below this fraction of the initial residual the solver tolerance shows.
FLOOR = 1e-6


def allowed(data, mu):
    r"""$\frac{\mu\lambda}{\sqrt\Lambda}(1 - \sqrt{(1+\gamma/\mu)/(1+\lambda/4\Lambda)})$, the largest initial residual."""
    return mu * data.low / np.sqrt(data.high) * (1 - np.sqrt((1 + data.gamma / mu) / (1 + data.low / (4 * data.high))))


def applies(data, mu):
    r"""Both hypotheses: $\mu > 4\Lambda\gamma/\lambda$, and outputs close enough to their targets."""
    return (mu > 4 * data.high * data.gamma / data.low) & (data.residual.isel(t=0) <= allowed(data, mu))


def move_bound(data, mu):
    r"""$\sqrt{\Lambda+\lambda/4}\,\|y(0)-y^*\|/(\lambda\sqrt\mu)$."""
    return np.sqrt(data.high + data.low / 4) * data.residual.isel(t=0) / (data.low * np.sqrt(mu))


def apart_bound(data, mu):
    """The printed bound on the distance to the tangent model."""
    first = data.residual.isel(t=0)
    square = data.high * np.sqrt(1 + data.low / (4 * data.high)) * first**2 / (data.low**2 * mu**1.5)
    return square + 2 * np.sqrt(data.high * (1 + data.gamma / mu)) * first / (data.low * np.sqrt(mu))


def meant(applicable):
    """Sanity check: the hypotheses hold in many runs."""
    name, why = "fraction of runs that satisfy the hypotheses", "theorem and lemma say nothing of the others"
    return at_least(name, applicable.mean(), 0.5, key="hypotheses", why=why)


def judge_theorem(data, mu, constant) -> Evidence:
    """Both bounds where the hypotheses hold, and how tight they are."""
    applicable, why = applies(data, mu), "the theorem's own constant"
    move, apart = (data[name].max("t", skipna=False) for name in ("move", "apart"))
    moved = (move / (constant * move_bound(data, mu))).where(applicable).max()
    away = (apart / (constant * apart_bound(data, mu))).where(applicable).max()
    return Evidence(
        sound=[meant(applicable)],
        holds=[
            at_most("largest move of the weights over its bound", moved, 1, key="move", why=why),
            at_most("largest distance to the tangent model over its bound", away, 1, key="tangent", why=why),
            near(
                r"move over its first order, $\|(2 \mu X X^\top)^{-1/2} r\|$",
                (move / data.first_order).isel(mu=-1).mean(),
                1,
                0.05,
                key="first_order",
                why=r"tightness: the tangent model's own move, up to $\gamma/\mu$ and $\|r\|/\mu$, below 1% at the largest $\mu$",
            ),
            near(
                r"exponent in $\mu$ of the distance to the tangent model",
                power(apart.isel(width=-1), mu, "mu").mean(),
                -1.5,
                0.15,
                key="exponent",
                why=r"second order, $\|r\|^2/\mu^{3/2}$, up to $\|r\|/\mu$; the printed bound has a term $\mu^{-1/2}$ as well",
            ),
        ],
    )


def draw_theorem(data, mu) -> Drawing:
    r"""Both distances against $\mu$, with their bounds, at the largest width."""
    one = data.isel(width=-1, condition=0)
    move, apart = (one[name].max(("t", "trial")).values for name in ("move", "apart"))
    bounds = [bound(one, mu).max("trial").values for bound in (move_bound, apart_bound)]
    return one_panel(
        [
            Points("to the initialization", mu.values, move),
            Line("its bound", mu.values, bounds[0], role="theory"),
            Points("to the tangent model", mu.values, apart, role="second"),
            Line("its bound", mu.values, bounds[1], role="control"),
        ],
        log_axis(r"$\mu = \alpha^2 k$"),
        log_axis("largest distance of the weights"),
        r"Largest distances of the weights to initialization and tangent model, with the bounds of the theorem. The first is "
        r"tight up to a factor of 1.6; the second distance falls like $\mu^{-3/2}$, its bound only like $\mu^{-1/2}$.",
    )


def loosening(data, mu):
    r"""$4\Lambda(\gamma + R^2 + 2R\sqrt{\mu+\gamma})$ of lemma 11, with $R$ the largest measured move."""
    reach = data.move.max("t", skipna=False)
    return 4 * data.high * (data.gamma + reach**2 + 2 * reach * np.sqrt(mu + data.gamma))


def judge_residual(data, mu, exponent) -> Evidence:
    """The residuals of both models over their bounds, along the flow; the rate is that of half the summed loss."""
    net, tangent = (np.log(data[name] / data[name].isel(t=0)) for name in ("residual", "tangent_residual"))
    net = net.where(net > np.log(FLOOR))
    tangent = tangent.where(net.notnull() & (tangent > np.log(FLOOR)))
    rate = exponent * mu * data.low
    own, plain = loosening(data, mu) - rate, 4 * data.high * data.gamma - rate
    over = [(logs - slope * data.time).max() for logs, slope in ((net, own), (tangent, plain))]
    fall = (-tangent / (mu * data.low * data.time)).where((data.time > 0) & (data.condition == 1)).min()
    closed = "the lemma's own rate, in closed form"
    return Evidence(
        sound=[at_least("runs whose bound falls", (own < 0).sum(), 1, key="runs", why="a bound that grows says nothing")],
        holds=[
            at_most(
                "logarithm of the residual over its bound, net",
                over[0],
                1e-4,
                key="net",
                why="the lemma's own rate; the solver's error, 1e-8 of the initial residual, is up to 1e-2 at the floor, 1e-4 on "
                "average",
            ),
            at_most("logarithm of the residual over its bound, tangent model", over[1], 1e-4, key="tangent", why=closed),
            at_most(
                r"smallest rate of the tangent model over $\mu \lambda$, condition number 1",
                fall,
                2.2,
                key="tightness",
                why=r"tightness: 2 where $W W^\top = \mu I$ and $X X^\top = \lambda I$; $\gamma/\mu$ adds a few hundredths",
            ),
        ],
    )


def draw_residual(data, mu) -> Drawing:
    """The residual of one trial against its bound."""
    one, scale = data.isel(trial=0, width=-1, condition=-1, mu=-1), float(mu.values[-1])
    slope = loosening(one, scale) - 2 * scale * one.low
    one = one.isel(t=scale * one.time.values < 8)
    time, residual, tangent = scale * one.time.values, one.residual.values, one.tangent_residual.values
    return one_panel(
        [
            Line("net", time, residual / residual[0]),
            Line("tangent model", time, tangent / tangent[0], role="second"),
            Line("bound", time, np.exp(slope * one.time).values, role="theory"),
        ],
        Axis(r"$\mu t$"),
        log_axis("residual over its initial value", low=1e-7),
        r"Residuals along the flow, at the largest $\mu$, with the bound whose radius $R$ is the measured move of the weights.",
    )


def judge_ball(data, mu, constant) -> Evidence:
    r"""At every time the move is within the bound, and the bound within the radius in which the rate is at least $\mu\lambda$."""
    applicable, bound, inverse = applies(data, mu), move_bound(data, mu), data.low / data.high
    radius = np.sqrt(mu * (1 + inverse / 4)) - np.sqrt(mu + data.gamma)
    inside = (bound / radius).where(applicable).max()
    least = inverse / np.sqrt(2 * (1 + inverse / 4))
    worst = (data.move / (constant * bound)).max("t", skipna=False).where(applicable)
    left = data.residual / data.residual.isel(t=0)
    equality = "equation 81; equal where the second hypothesis holds with equality"
    return Evidence(
        sound=[meant(applicable)],
        holds=[
            at_most("largest move over its bound", worst.max(), 1, key="move", why="the lemma's own constant"),
            at_most("bound over the radius in the proof", inside, 1 + 1e-9, key="radius", why=equality),
            at_most(
                r"residual over $\|r\| \exp(-\mu \lambda t)$, while it is above $10^{-6}$",
                (left / np.exp(-mu * data.low * data.time)).where(applicable & (left > 1e-6)).max(),
                1 + 1e-6,
                key="rate",
                why=r"equation 79: inside that radius outputs converge to their targets at least at the rate $\mu \lambda$",
            ),
            at_least(
                "largest move over the smallest possible one in the kernel limit, minimum over condition numbers",
                (worst / least).max(("mu", "width", "trial")).min(),
                0.9,
                key="tightness",
                why=r"tightness: in the kernel limit the move is at least $\|r\|/\sqrt{2 \mu \Lambda}$, $\lambda/\Lambda$ over "
                r"$\sqrt{2 (1 + \lambda/4\Lambda)}$ of the bound; a tenth for finite $\mu$",
            ),
        ],
    )


def draw_ball(data, mu) -> Drawing:
    """The move along the flow of one trial, over its bound."""
    one = data.isel(trial=0, width=-1, condition=0)
    x, ratio = (values.isel(t=slice(1, None)) for values in (mu * one.time, one.move / move_bound(one, mu)))
    lines = family(r"$\mu = {}$", x, ratio, "mu", roles=RAMP)
    caption = r"The weights move up to two thirds of the lemma's bound, at every $\mu$."
    return one_panel(lines, log_axis(r"$\mu t$"), Axis("move of the weights over the bound", low=0, high=1), caption)


claim = partial(Claim, simulation=SIMULATION, seconds={"quick": 10, "paper": 60})
HALF = Control("half the constant", changes={"constant": 0.5}, breaks=("move",))

CLAIMS = (
    claim(
        id="woodworth2020/theorem_9",
        kind="theorem",
        title="Near a large multiple of $I$ gradient flow is that of the tangent model",
        says=r"Let $\lambda$ and $\Lambda$ be the extreme eigenvalues of the Gram matrix of the measurements. If $\|W(0) "
        r"W(0)^\top - \mu I\|_{op} \leq \gamma$, $\mu > 4 \Lambda \gamma/\lambda$ and the initial residual $r$ is small against "
        r"$\mu$, then the weights move at most $\sqrt{\Lambda + \lambda/4} \|r\|/(\lambda \sqrt{\mu})$, and stay near the "
        "tangent model.",
        source="woodworth2020, theorem 9",
        judge=judge_theorem,
        draw=draw_theorem,
        constants={"constant": 1.0},
        least={"mu": 2},
        controls=[HALF],
    ),
    claim(
        id="woodworth2020/lemma_11",
        kind="lemma",
        title="Exponential convergence while the weights stay near their initialization",
        says=r"With $\lambda$, $\Lambda$, $\mu$ and $\gamma$ of theorem 9, if the weights stay within $R$ of their "
        r"initialization, $\|y(t) - y^*\| \leq \|y(0) - y^*\| \exp(-2 \mu \lambda t + 4 \Lambda (\gamma + R^2 + 2 R \sqrt{\mu + "
        r"\gamma}) t)$, and the tangent model the same without $R$; for half the summed loss.",
        source="woodworth2020, lemma 11",
        judge=judge_residual,
        draw=draw_residual,
        constants={"exponent": 2.0},
        controls=[Control("twice the rate, that of the summed loss", changes={"exponent": 4.0}, breaks=("net", "tangent"))],
    ),
    claim(
        id="woodworth2020/lemma_12",
        kind="lemma",
        title=r"The weights stay within a ball of radius $O(\|r\|/\sqrt{\mu})$",
        says=r"Under the hypotheses of theorem 9 the weights move at most $\sqrt{\Lambda + \lambda/4} \|r\|/(\lambda "
        r"\sqrt{\mu})$, at all times.",
        source="woodworth2020, lemma 12",
        judge=judge_ball,
        draw=draw_ball,
        constants={"constant": 1.0},
        controls=[HALF],
    ),
)
