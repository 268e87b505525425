r"""What the lemmas of the kernel regime share: its constants, the loss and its rate, and when the regime ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ....claims.base import Claim, Reading, at_least
from ....claims.drawing import SERIES, Axis, Line, Mark, Panel, Role
from ....claims.labelled import norm
from ....claims.marks import family, log_axis
from ....numerics.linear_log import log_linear_log_inverse
from ..simulations.kernel_phase import SIMULATION
from .marks import NORMALIZED


def predict(problem, depth):
    r"""The kernel's max-margin classifier, and the constants of a diagonal net around $\bar\theta = (1, 1)$.

    `margin`: $\gamma = \sqrt2D\gamma_2$, since tangent features are $D(x, -x)$. `ball`: within $\epsilon$ gradients turn by
    less than $\gamma/2$, as coordinates of $u^{D-1}$ move by at most $(D-1)(1+\epsilon)^{D-2}$ times those of $u$.
    `reach`: no gradient there is longer than $G = \max_i\sqrt2D\|x_i\| + \gamma/2$. `bend`: no second derivative exceeds
    $D(D-1)(1+\epsilon)^{D-2}\max_{ik}|x_{ik}|$.
    """
    from ....predictors import MaxMargin

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


# What every claim about the kernel regime of a diagonal net is made of.
kernel_phase = partial(Claim, simulation=SIMULATION, predict=predict, seconds={"quick": 20, "paper": 90})


def log_inverse(log_y):
    r"""$\log F^{-1}(y)$ of a labelled $\log y$, with $F(x) = x\log x$."""
    import jax.numpy as jnp
    import xarray as xr

    return xr.apply_ufunc(lambda part: np.asarray(log_linear_log_inverse(jnp.asarray(part, float))), log_y)


@dataclass(frozen=True)
class Phase:
    r"""The run in the paper's notation, per unit of slow time $\lambda t$.

    `log_loss`: $\log\mathcal L$. `size`: $\|h\|$, after initialization. `left`: $\log(\alpha e^{-\lambda t})$. `log_reach`:
    $\log(Ae^{-2(D-1)\lambda t})$. `push`: $A\mathcal Le^{-2(D-1)\lambda t}$, the force over the weight decay. `carried`:
    $\sum_ip_iq_i$ with $p_i\propto e^{-q_i}$. `fall`: $d\log(1/\mathcal L)/d(\lambda t)$. `inside`: whether
    $\|\delta\|\leq\epsilon$ still. `balance`: $M = \log F^{-1}(\gamma^2Ae^{-2(D-1)\lambda t}/D)$, the margin at which the
    force of all samples balances weight decay: $\gamma^2\,\texttt{push} = D\log(1/\mathcal L)$.
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
    def of(cls, data, theory, *, depth, log_alpha, power) -> "Phase":
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
            inside=data.moved <= theory["ball"],
            balance=log_inverse(log_reach + np.log(theory["margin"] ** 2 / depth)),
        )


def ended(phase: Phase) -> Reading:
    """The run must reach the end of the regime, so that all of it is checked."""
    found = (~phase.inside).any("t").mean()
    why = "a lemma on the whole regime must be checked on all of it"
    return at_least("fraction of runs that reach the end of the kernel regime", found, 1, key="ended", why=why)


def shown(part):
    """A quantity at the largest scale and the first power, after initialization."""
    return part.isel(log_alpha=-1, power=0, t=slice(1, None))


def normalized(data):
    r"""$\lambda t/\log\alpha$ of what is shown."""
    slow = shown(data.slow)
    return (slow.isel(trial=0) if "trial" in slow.dims else slow) / slow.log_alpha


def loss_panel(data, phase: Phase, bound, name: str) -> Panel:
    """The loss along the regime beside a bound on it, one trial at the largest scale and the first power."""

    def curves(label, part, roles=SERIES):
        y = np.exp(shown(part.where(phase.inside)).isel(trial=0))
        return family(f"{label}, depth {{}}", normalized(data), y, "depth", roles=roles)

    marks = [*curves("loss", phase.log_loss), *curves(name, bound, ("theory",))]
    return Panel(marks, NORMALIZED, log_axis("training loss"), title="The loss")


def by_depth(data, curves: Mapping[str, Any], roles: Sequence[Role], y: Axis, *rules: Mark) -> list[Panel]:
    r"""A panel for each depth, with a line for each named curve from $\lambda t = 0.1$ on."""
    x, panels = normalized(data), []
    for depth in x.depth.values:
        across = x.sel(depth=depth).values
        late = across >= 0.1 / float(x.log_alpha)
        parts = {name: curve.sel(depth=depth).values[late] for name, curve in curves.items()}
        lines = [Line(name, across[late], part, role) for (name, part), role in zip(parts.items(), roles, strict=True)]
        panels.append(Panel([*lines, *rules], NORMALIZED, y, title=f"depth {int(depth)}"))
    return panels
