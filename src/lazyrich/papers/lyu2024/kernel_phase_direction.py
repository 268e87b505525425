r"""How the direction $e^{\lambda t}\theta/\alpha$ turns in the kernel regime of classification (lemmas C.5, C.6, C.8)."""

import numpy as np

from ...claims.base import Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Panel, Points, Slope
from ...claims.marks import family, log_axis, one_panel, power_law
from .shared.kernel_phase import Phase, by_depth, ended, kernel_phase, normalized, shown
from .shared.marks import NORMALIZED, TRANSITION
from .shared.readings import all_near

# Below this turn the remainder, which falls like its square, is near rounding.
SEEN = 1e-4
BALANCE = log_axis("$M$, the margin at which loss and weight decay balance")


TURN = log_axis(r"turn $\|\delta\|$")


def at_the_end(data, theory, curve):
    r"""A curve at the end of the regime, $\|\delta\| = \epsilon$; between two moments it is linear in $\log\|\delta\|$."""
    turned = np.log((data.moved / theory["ball"]).where(data.slow > 0))
    after = (turned > 0).argmax("t")
    fraction = turned.isel(t=after - 1) / (turned.isel(t=after - 1) - turned.isel(t=after))
    return (1 - fraction) * curve.isel(t=after - 1) + fraction * curve.isel(t=after)


def judge_turn(data, theory, log_alpha, depth, power, shift) -> Evidence:
    """The turn in units of the lemma's bound, its growth, and when it ends the regime."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)
    degree = depth + shift
    # As printed, |delta| alpha^D e^(-D weight_decay t): it is |h| for the true degree.
    turned = phase.size * np.exp(shift * phase.left)
    allowed = np.log(theory["reach"] ** 2) + phase.log_a
    slow = phase.inside & (data.slow >= 0.1)
    first, last = slow.argmax("t"), slow.cumsum("t").argmax("t")
    length = data.slow.isel(t=last) - data.slow.isel(t=first)
    gained = np.log(data.moved.isel(t=last) / data.moved.isel(t=first))
    lost = np.log(phase.balance.isel(t=first) / phase.balance.isel(t=last))
    left, balance = (at_the_end(data, theory, curve) for curve in (phase.left, phase.balance))
    steps = (part.isel(log_alpha=[-2, -1]).diff("log_alpha") for part in (degree * left, np.log(balance)))
    sooner = next(steps) / next(steps)
    proven = np.log(allowed / (theory["margin"] * theory["ball"])) / degree
    return Evidence(
        sound=[ended(phase)],
        holds=[
            at_most(
                r"$\gamma\|\delta\|\alpha^De^{-D\lambda t}$, in units of $\log(G^2A)$",
                (theory["margin"] * turned / allowed).where(phase.inside).max(),
                1,
                key="turn",
                why=r"$\gamma\|h\| \leq \log(1/\mathcal{L})$ where loss and weight decay balance, and $\log(1/\mathcal{L}) \leq "
                r"\log(nF^{-1}(2G^2A/(nD))) \leq \log(G^2A)$",
            ),
            all_near(
                r"growth rate of $\|\delta\|/M$, over $D\lambda$",
                (gained + lost) / length / degree,
                1,
                0.02,
                key="growth",
                why=r"$\|\delta\| = Me^{D\lambda t}/(\gamma\alpha^D)$ with $M$ the margin at which loss and weight decay "
                "balance, up to $O(1/M)$: a tenth, over $D$ times five units of time at least",
            ),
            all_near(
                r"power of $M$ in $e^{D(\log\alpha - \lambda T)}$ at the end $T$ of the regime",
                sooner.median("trial"),
                1,
                0.15,
                key="end",
                why=r"$\|\delta\| = \epsilon$ there, and $M$ is of order $\log A$: the $\log\log A$ of the lemma; an entropy of "
                r"at most $\log n$ is neglected beside $M \geq 10$: a fraction of 0.2, which changes by half between two scales, "
                r"so $0.1/\log 2 = 0.15$ in the power",
            ),
            at_least(
                r"length of the regime beyond the proven one, times $\lambda$",
                (proven - left).min(),
                0,
                key="length",
                why=r"$\|\delta\|$ reaches $\epsilon$ no sooner than its bound does",
            ),
        ],
    )


def remainder(data, phase):
    r"""$\max_i|q_i - \langle\nabla q_i(\bar\theta), h\rangle|/\|h\|$ at the moments where it can be read."""
    found = abs(data.margins - data.linear).max("n") / phase.size
    return found.where(phase.inside & (data.moved > SEEN))


def judge_linear(data, theory, log_alpha, depth, power, order) -> Evidence:
    """The remainder against Taylor's bound, and its power in the turn."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)
    found = remainder(data, phase)
    small = (data.moved > SEEN) & (data.moved < 0.1)
    first, last = small.argmax("t"), small.cumsum("t").argmax("t")
    rise = [np.log(part.isel(t=last) / part.isel(t=first)) for part in (found, data.moved)]
    moments = found.notnull().sum("t").min()
    return Evidence(
        sound=[ended(phase), at_least("fewest moments with a remainder", moments, 4, key="moments", why="a power needs several")],
        holds=[
            at_most(
                r"remainder over $\|h\|$, in units of Taylor's bound",
                (found / (theory["bend"] / 2 * data.moved**order)).max(),
                1,
                key="remainder",
                why=r"half the largest second derivative in the ball, times $\|\delta\|$",
            ),
            all_near(
                r"power of $\|\delta\|$ in the remainder over $\|h\|$",
                rise[0] / rise[1],
                2,
                0.15,
                key="power",
                why="the halves turn by opposite amounts to first order, so that even Taylor terms cancel: one power more than "
                r"the lemma needs; the next is two further, $\|\delta\|^2 = 0.01$ at most",
            ),
        ],
    )


def excess(data, theory, phase, depth, form):
    r"""$\frac{d}{dt}\log\frac1{\mathcal L} - c\,\frac{d\|h\|}{dt}$ over the size of both, up to Taylor's remainder.

    With $g = \sum_ip_i\nabla q_i$, $p_i\propto e^{-q_i}$, and its part $g_h$ along $h$, the two rates are
    $\|g\|^2P - D\|h\|g_h$ and $g_hP - D\|h\|$, where $P$ is the force over the weight decay. For $c = \|g\|$ the difference is
    $(\|g\| - g_h)(\|g\|P + D\|h\|)\geq 0$. As printed $c = \gamma\leq\|g\|$; but in most of the regime $\|h\|$ falls, and
    there it is about $(\|g\| - \gamma)\,d\|h\|/dt < 0$.
    """
    coefficient = data.force if form == "corrected" else theory["margin"]
    growth = data.along * phase.push - depth * phase.size
    taylor = depth * theory["bend"] / 2 * data.moved * phase.size
    return (phase.fall - coefficient * growth + taylor) / (abs(phase.fall) + coefficient * abs(growth))


def judge_rates(data, theory, log_alpha, depth, power, form) -> Evidence:
    """The two rates, and what they integrate to: the worst over moments, scales and trials."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)
    seen = phase.inside & (data.slow > 0)
    lead = (-phase.log_loss + theory["bend"] / 2 * data.moved * phase.size) / (theory["margin"] * phase.size)
    return Evidence(
        sound=[ended(phase)],
        holds=[
            at_least(
                r"rate of $\log(1/\mathcal{L})$ minus coefficient times rate of $\|h\|$, relative",
                excess(data, theory, phase, depth, form).where(seen).min(),
                -1e-6,
                key="rates",
                why="never negative with the force as coefficient; the solver tolerance is 1e-8, and the rates cancel to a tenth",
            ),
            at_least(
                r"$\log(1/\mathcal{L})$ over $\gamma\|h\|$",
                lead.where(seen).min(),
                1,
                key="lead",
                why=r"what the theorem needs of it: with $h$ along the force, $\gamma\|h\| \leq \sum_i p_iq_i = "
                r"\log(1/\mathcal{L}) - (\log n - H)$, with $H \leq \log n$ the entropy of $p$",
            ),
        ],
    )


def turn_over(data, theory, phase, depth, form):
    r"""$\log$ of $\|\delta\|$ over $\gamma^{-1}\alpha^{-D}e^{D\lambda t}\log(\alpha^{2(D-1)c}/\lambda)$, or the printed form."""
    power = depth * phase.left * (1 if form == "printed" else -1)
    return np.log((data.moved * theory["margin"]).where(data.slow > 0)) - power - np.log(phase.log_reach)


def judge_factor(data, theory, log_alpha, depth, power, n, form) -> Evidence:
    r"""Size and direction of the turn at $(1 - c)\log\alpha/\lambda$ with $c$ from 0.3 to 0.8, away from both ends."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)
    inside = (data.slow / log_alpha >= 0.2) & (data.slow / log_alpha <= 0.7)
    ratio, clock = np.exp(turn_over(data, theory, phase, depth, form)), phase.log_reach
    w = (theory["kernel"].effective / theory["kernel"].value).rename(d="p") / 2**0.5
    half, turned = w.sizes["p"], data.h / phase.size
    apart = sum(((turned.isel(p=part) - sign * w) ** 2).sum("p") for part, sign in ((slice(half), 1), (slice(half, None), -1)))
    moments = inside.sum("t").min()
    return Evidence(
        sound=[at_least("fewest moments of a run", moments, 2, key="moments", why="the law is for all $c$ in $(0, 1)$")],
        holds=[
            at_most(
                r"distance of the ratio from 1, in units of $\log(M)/M$",
                (abs(ratio - 1) * clock / np.log(clock)).where(inside).max(),
                1,
                key="ratio",
                why=r"what is neglected beside the logarithm $M$ is $O(\log\log)$",
            ),
            at_most(
                r"distance of the direction from the kernel's, in units of $2(\log(n)/M)^{1/2}$",
                (apart**0.5 / (2 * (np.log(n) / clock) ** 0.5)).where(inside).max(),
                1,
                key="direction",
                why=r"the margin is at least $1 - \log(n)/M$ times the maximum, and unit vectors of such margins are close",
            ),
        ],
    )


def draw_turn(data, theory, log_alpha, depth, power) -> Drawing:
    """How far the direction has turned, and when the regime ends."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)
    left, balance = (at_the_end(data, theory, curve).median("trial") for curve in (phase.left, phase.balance))
    grown = family("depth {}", normalized(data), shown(data.moved).isel(trial=0), "depth")
    ends = family("depth {}", balance, np.exp(depth * left), "depth", mark=Points)
    ends.append(power_law("$M$", ends, 1))
    return Drawing(
        [
            Panel([*grown, TRANSITION], NORMALIZED, TURN, title=r"The direction turns like $e^{D\lambda t}$"),
            Panel(ends, BALANCE, log_axis(r"$e^{D(\log\alpha - \lambda T)}$"), title="The end $T$ of the kernel regime"),
        ],
        caption="Left: how far the direction of the weights has turned, one trial at the largest scale. Right: how much sooner "
        r"than $\log(\alpha)/\lambda$ the regime ends, median over trials, one point for each scale and weight decay: by "
        r"$\log(M)/(D\lambda)$, up to a constant over $\lambda$, where $M$ is of order $\log A$.",
    )


def draw_linear(data, theory, log_alpha, depth, power) -> Drawing:
    """The remainder against the turn: all moments, scales, weight decays and trials."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)
    found = remainder(data, phase)
    dots = family("depth {}", data.moved, found, "depth", mark=Points)
    marks = [Points(m.name, m.x[m.x > 0], m.y[m.x > 0], role=m.role) for m in dots]
    ends, bend = [SEEN, float(max(m.x.max() for m in marks))], float(theory["bend"].max())
    marks += [
        Slope(r"$\|\delta\|$: allowed", ends, (ends[0], bend / 2 * ends[0]), 1, role="control"),
        Slope(r"$\|\delta\|^2$", ends, (float(np.median(marks[0].x)), float(np.median(marks[0].y))), 2),
    ]
    return one_panel(
        marks,
        TURN,
        log_axis(r"remainder over $\|h\|$"),
        r"The error of the linearized margins, over $\|h\|$, against how far the direction has turned: below Taylor's "
        "bound, and smaller by a power, since the two halves of the net turn by opposite amounts.",
    )


def draw_rates(data, theory, log_alpha, depth, power) -> Drawing:
    r"""By how much the printed inequality fails, and $\log(1/\mathcal L)$ beside $\gamma\|h\|$."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)
    slow = phase.inside & (data.slow >= 0.1)
    surplus = (data.force / theory["margin"] - 1).where(slow & (data.moved < 1e-5))
    short = -excess(data, theory, phase, depth, "printed").where(surplus.notnull())
    dots = family("depth {}", phase.balance, short, "depth", mark=Points)
    dots = [Points(dot.name, dot.x[dot.y > 0], dot.y[dot.y > 0], role=dot.role) for dot in dots]
    lead = shown((-phase.log_loss / (theory["margin"] * phase.size)).where(slow)).median("trial")
    leads = family("depth {}", normalized(data), lead, "depth")
    return Drawing(
        [
            Panel(
                [*dots, power_law("$M^{-2}$", dots, -2)], BALANCE, log_axis("relative violation"), title="(20) as printed fails"
            ),
            Panel(leads, NORMALIZED, Axis(r"$\log(1/\mathcal{L})/(\gamma\|h\|)$"), title="Its consequence is true"),
        ],
        caption=r"Left: by how much the rate of $\log(1/\mathcal{L})$ stays below $\gamma$ times the rate of $\|h\|$, relative "
        "to both, where the direction has turned by less than 1e-5: all moments, scales, weight decays and trials. Right: "
        r"$\log(1/\mathcal{L})$ over $\gamma\|h\|$ never falls below 1.",
    )


def draw_factor(data, theory, log_alpha, depth, power) -> Drawing:
    """The turn against both forms, along the regime."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)
    turn = np.log(shown(data.moved).isel(trial=0))

    def predicted(form):
        return (turn - shown(turn_over(data, theory, phase, depth, form)).isel(trial=0)) / np.log(10)

    curves = {"measured": turn / np.log(10), "corrected": predicted("corrected"), "printed": predicted("printed")}
    return Drawing(
        by_depth(data, curves, ("measured", "theory", "control"), Axis(r"$\log_{10}\|\delta\|$")),
        caption="How far the direction of the weights has turned, one trial at the largest scale: the corrected form coincides "
        "with it; the printed one has the inverse power, and is astronomically large where the turn is small.",
    )


CLAIMS = (
    kernel_phase(
        id="lyu2024/norm_decay",
        kind="lemma",
        title="Only the norm decays in the kernel regime",
        says=r"With $\delta = e^{\lambda t}\theta/\alpha - \bar\theta$ the direction turns by $\|\delta\| = O(\alpha^{-D}\log "
        r"A)e^{D\lambda t}$, where $A = \alpha^{2(D-1)}/\lambda$, so that the kernel regime lasts until "
        r"$(\log\alpha - \frac{1}{D}\log\log A + \mathrm{const})/\lambda$.",
        source="lyu2024, lemma C.5",
        judge=judge_turn,
        draw=draw_turn,
        constants={"shift": 0},
        least={"log_alpha": 2},
        aliases=("lemma_c_5",),
        controls=[Control("the power $D - 1$ in place of $D$", changes={"shift": -1}, breaks=("growth", "end"))],
    ),
    kernel_phase(
        id="lyu2024/lemma_c_6",
        kind="lemma",
        title="In the kernel regime outputs are linear in the parameters",
        says=r"With $\delta = e^{\lambda t}\theta/\alpha - \bar\theta$ and $h = \alpha^De^{-D\lambda "
        r"t}\delta$ the margins are $\langle\nabla q_i(\bar\theta), h\rangle$ up to $O(\|\delta\|)\|h\|$, throughout the kernel "
        r"regime; for a symmetrized net up to $O(\|\delta\|^2)\|h\|$.",
        source="lyu2024, lemma C.6",
        judge=judge_linear,
        draw=draw_linear,
        constants={"order": 1},
        controls=[Control(r"a remainder two orders smaller: $\|\delta\|^3$", changes={"order": 3}, breaks=("remainder",))],
    ),
    kernel_phase(
        id="lyu2024/lemma_c_8",
        kind="erratum",
        title="The rates of loss and norm, compared by the force",
        says=r"In the kernel regime $\frac{d}{dt}\log(1/\mathcal{L}) \geq \|g\|\frac{d}{dt}\|h\|$ with the force $g = \sum_i "
        r"p_i\nabla q_i$, $p_i \propto e^{-q_i}$, up to $O(\|\delta\|)$; printed is the tangent margin $\gamma$ in place of "
        r"$\|g\| \geq \gamma$, which fails by a relative amount of order $1/\log^2 A$ while $\|h\|$ falls. Its consequence, "
        r"$\log(1/\mathcal{L}) \geq \gamma\|h\|$, is true.",
        source="lyu2024, lemma C.8",
        judge=judge_rates,
        draw=draw_rates,
        constants={"form": "corrected"},
        controls=[Control("as printed: the tangent margin as coefficient", changes={"form": "printed"}, breaks=("rates",))],
    ),
    kernel_phase(
        id="lyu2024/key_insight_factor",
        kind="erratum",
        title="The turn of the direction is small, not large",
        says=r"At $(1 - c)\log(\alpha)/\lambda$ the direction has turned by $e^{\lambda t}\theta/\alpha - \bar\theta = "
        r"\frac{1}{\gamma}\alpha^{-D}e^{+D\lambda t}\log(\alpha^{2(D-1)c}/\lambda)$ times the kernel's direction; printed after "
        r"theorem 3.4 is the factor $\alpha^De^{-D\lambda t}$.",
        source="lyu2024, section 3.2.1",
        judge=judge_factor,
        draw=draw_factor,
        constants={"form": "corrected"},
        controls=[Control("the factor as printed", changes={"form": "printed"}, breaks=("ratio",))],
    ),
)
