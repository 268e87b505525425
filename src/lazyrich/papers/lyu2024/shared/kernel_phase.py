r"""What the lemmas of the kernel phase share: its constants, the loss and its rate, and when the phase ends."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...numerics.linear_log import log_linear_log_inverse
from ..base import Reading, at_least
from ..drawing import SERIES, Axis, Line, Panel
from ..labelled import norm


def refer(problem, depth):
    r"""The kernel's classifier, and the constants of a diagonal net around $\bar\theta = (1, 1)$.

    `margin`: $\gamma = \sqrt2D\gamma_2$, since tangent features are $D(x, -x)$. `ball`: within $\epsilon$ gradients turn by
    less than $\gamma/2$, as coordinates of $u^{D-1}$ move by at most $(D-1)(1+\epsilon)^{D-2}$ times those of $u$.
    `reach`: no gradient there is longer than $G = \max_i\sqrt2D\|x_i\| + \gamma/2$. `bend`: no second derivative exceeds
    $D(D-1)(1+\epsilon)^{D-2}\max_{ik}|x_{ik}|$.
    """
    from ...predictors import MaxMargin

    kernel, x = MaxMargin("l2").solve(problem.train), np.asarray(problem.train.x)
    margin, top = 2**0.5 * depth / kernel.value, np.abs(x).max()
    ball = margin / (2 * depth * (depth - 1) * top)
    ball = ball / (1 + ball) ** (depth - 2)
    return {
        "kernel": kernel,
        "margin": margin,
        "ball": ball,
        "reach": 2**0.5 * depth * np.linalg.norm(x, axis=1).max() + margin / 2,
        "bend": depth * (depth - 1) * (1 + ball) ** (depth - 2) * top,
    }


def log_inverse(log_y):
    r"""$\log F^{-1}(y)$ of a labelled $\log y$, with $F(x) = x\log x$."""
    import jax.numpy as jnp
    import xarray as xr

    return xr.apply_ufunc(lambda part: np.asarray(log_linear_log_inverse(jnp.asarray(part, float))), log_y)


@dataclass(frozen=True)
class Phase:
    r"""The run in the paper's letters, per unit of slow time $\lambda t$.

    `log_loss`: $\log\mathcal L$. `size`: $\|h\|$, after the start. `left`: $\log(\alpha e^{-\lambda t})$. `log_reach`:
    $\log(Ae^{-2(D-1)\lambda t})$. `push`: $A\mathcal Le^{-2(D-1)\lambda t}$, the force over the decay. `carried`:
    $\sum_ip_iq_i$ with $p_i\propto e^{-q_i}$. `fall`: $d\log(1/\mathcal L)/d(\lambda t)$. `inside`: whether
    $\|\delta\|\le\epsilon$ still. `balance`: $M = \log F^{-1}(\gamma^2Ae^{-2(D-1)\lambda t}/D)$, the margin at which the
    force of all samples holds against the decay: $\gamma^2\,\texttt{push} = D\log(1/\mathcal L)$.
    """

    log_loss: Any
    size: Any
    left: Any
    log_a: Any
    log_reach: Any
    push: Any
    carried: Any
    fall: Any
    inside: Any
    balance: Any

    @classmethod
    def of(cls, data, told, *, depth, log_alpha, power) -> "Phase":
        """From the margins and the force along a run."""
        least = data.margins.min("n")
        weights = np.exp(least - data.margins)
        log_loss = np.log(weights.mean("n")) - least
        left = log_alpha - data.slow
        log_reach = 2 * (depth - 1) * left + power * log_alpha
        push = np.exp(log_reach + log_loss)
        carried = (weights * data.margins).sum("n") / weights.sum("n")
        return cls(
            log_loss=log_loss,
            size=norm(data.h, "p").where(data.slow > 0),
            left=left,
            log_a=(2 * (depth - 1) + power) * log_alpha,
            log_reach=log_reach,
            push=push,
            carried=carried,
            fall=push * data.force**2 - depth * carried,
            inside=data.moved <= told["ball"],
            balance=log_inverse(log_reach + np.log(told["margin"] ** 2 / depth)),
        )


def ended(phase: Phase) -> Reading:
    """The run must see the end of the phase, or it has not seen all of it."""
    return at_least(
        "share of runs that see the end of the kernel phase",
        (~phase.inside).any("t").mean(),
        1,
        why="a lemma on all of the phase must be read on all of it",
    )


def loss_panel(data, phase: Phase, bound, name: str, *, log_alpha, depth, power) -> Panel:
    """The loss along the phase beside a bound on it, one draw at the largest scale and the first power."""
    marks = []
    for at, layers in enumerate(depth.values):
        one = {"depth": layers, "log_alpha": log_alpha.values[-1], "power": power.values[0]}
        x = data.slow.sel(**one).isel(trial=0).values[1:] / float(log_alpha.values[-1])
        seen = [part.where(phase.inside).sel(**one).isel(trial=0).values[1:] for part in (phase.log_loss, bound)]
        marks.append(Line(f"loss, depth {int(layers)}", x, np.exp(seen[0]), role=SERIES[at % 3]))
        marks.append(Line(f"{name}, depth {int(layers)}", x, np.exp(seen[1]), role="theory"))
    return Panel(marks, x=Axis("decay x time / log(alpha)"), y=Axis("training loss", scale="log"), title="The loss")
