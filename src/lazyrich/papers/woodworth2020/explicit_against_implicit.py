r"""Weight decay and logistic loss lead to minimum $\|\beta\|_{2/D}$, the squared loss from small scales to minimum $\ell_1$."""

import diffrax as dfx
import jax
import jax.numpy as jnp

from ...claims.base import Claim, Control, Evidence, at_most
from ...claims.drawing import Axis, Drawing, Event, Line, Panel, Points
from ...dynamics import GradientFlow, loss_below
from ...lab import Param, Simulation
from ...losses import Logistic, Squared
from ...models import DiagonalNet
from ...objective import Objective
from ...problems import Split
from ...regularizers import L2

# Few weights, so that plain flows with weight decay are cheap; reduced ones lose digits while weights decay.
PLAIN = GradientFlow(solver=dfx.Tsit5(), rtol=1e-7, atol=1e-9, reduce=None, max_steps=1_000_000)
REDUCED = GradientFlow(solver=dfx.Tsit5(), rtol=1e-10, atol=1e-12, land=False, max_steps=1_000_000)


def data_with_shared_unit(m: int, gain) -> Split:
    r"""$m$ samples, each with a feature of its own, and one feature that all share: $x_n = (e_n, k)$, $y_n = 1$.

    Two solutions are sparse: all ones on the own features, with $\|\beta\|_p^p = m$, or $1/k$ on the shared one, with $k^{-p}$.
    """
    return Split(jnp.concatenate([jnp.eye(m), jnp.full((m, 1), gain)], axis=1), jnp.ones(m))


def portion(effective, gain):
    """The fraction of the outputs that the shared feature contributes."""
    return gain * effective[-1] / jnp.mean(effective[:-1] + gain * effective[-1])


def two_inits(m: int, gain, depth: int, low) -> DiagonalNet:
    """One initialization near each sparse solution, stacked, with what it does not use at a low level."""
    rest = jnp.full(m + 1, low)
    own, common = rest.at[:-1].set(1.0), rest.at[-1].set(gain ** (-1 / depth))
    return jax.vmap(lambda side: DiagonalNet(side, rest, depth))(jnp.stack([own, common]))


def simulate(*, m, exponent, depth, scale, weight_decay, until, low):
    """The shared feature's part: squared loss from small weights, weight decay and logistic loss from the better of two."""
    gain = m**-exponent
    data = data_with_shared_unit(m, gain)
    squared, logistic = (Objective(data, loss, reduction="sum") for loss in (Squared(), Logistic()))
    decayed = Objective(data, Squared(), reduction="sum", penalties=[(L2(), weight_decay)])
    small = DiagonalNet.at_scale(scale ** (1 / depth), dim=m + 1, depth=depth)
    horizon = jnp.array([0.0, 1e4]) * small.u[0] ** (2 - depth)
    read = {"effective": lambda net: net.effective()}
    rich = REDUCED.run(squared, small, horizon, read, loss_below(squared, 1e-10 * m))
    predicted, codes = {"squared": portion(rich.reads["effective"][-1], gain)}, [rich.outcome.code]
    both = two_inits(m, gain, depth, low)
    runs = ("decayed", decayed, PLAIN, 10 / weight_decay), ("logistic", logistic, REDUCED, until)
    for name, objective, flow, time in runs:

        def follow(init, objective=objective, flow=flow, time=time):
            path = flow.run(objective, init, jnp.stack([0.0, time]), {"net": _weights})
            return *_seen(path, data, gain, depth), path.outcome.code

        parts, costs, code = jax.vmap(follow)(both)
        predicted[name] = parts[jnp.argmin(costs)]
        codes.append(jnp.max(code))
    return {**predicted, "outcome": jnp.max(jnp.stack(codes))}


def _weights(net):
    return jnp.stack(net.parameters())


def _seen(path, data: Split, gain, depth: int):
    r"""The shared feature's part, and $\|\theta\|^2$ once the smallest output is scaled to 1."""
    u, v = path.reads["net"][-1]
    effective = DiagonalNet(u, v, depth).effective()
    return portion(effective, gain), jnp.sum(u**2 + v**2) / jnp.min(data.x @ effective) ** (2 / depth)


SIMULATION = Simulation(
    simulate,
    params=[
        Param("exponent", (0.7, 1.25, 1.75, 2.3), smoke=(0.7, 1.75), low=0.0, high=5.0, unit="$e$ of the gain $m^{-e}$"),
        Param("depth", (3, 4), (2, 3, 4), smoke=(3,), low=2, high=6, unit="layers", static=True),
        Param("m", 4, 8, smoke=3, low=2, high=100, unit="samples", static=True),
        Param("scale", 1e-8, smoke=1e-4, low=1e-12, high=1.0, unit=r"$\alpha^D$ of the small initialization"),
        Param("weight_decay", 0.03, 0.01, smoke=0.1, low=1e-4, high=1.0, unit=r"strength of $\ell_2$"),
        Param("until", 1e8, smoke=1e3, low=1.0, high=1e30, unit="time of the logistic flow"),
        Param("low", 0.3, low=1e-3, high=1.0, unit="weights that an initialization does not use"),
    ],
    returns=dict.fromkeys(("squared", "decayed", "logistic", "outcome"), ""),
    random=False,
)


def judge(data, exponent, depth, bend) -> Evidence:
    """The shared feature's part against that of the sparse solution with the smaller norm."""
    quasi, l1 = exponent < 1 + bend * (depth / 2 - 1), exponent < 1
    pairs = ((data.squared, l1), (data.decayed, quasi), (data.logistic, quasi))
    squared, decayed, logistic = (abs(part - expected.astype(float)).max() for part, expected in pairs)
    off = "largest deviation from minimum"
    small = r"off-support weights decay like a power of $\alpha^D = 10^{-8}$ with exponent at least 0.3"
    unused = "unused weights have decayed for a time of 10 over the weight decay"
    grown = "unused weights keep their initial size while outputs grow to the logarithm of the training time, about 18"
    return Evidence(
        holds=[
            at_most(rf"squared loss from small weights: {off} $\ell_1$", squared, 0.05, key="squared", why=small),
            at_most(rf"weight decay: {off} $\ell_{{2/D}}$", decayed, 0.05, key="weight_decay", why=unused),
            at_most(rf"logistic loss: {off} $\ell_{{2/D}}$", logistic, 0.1, key="logistic", why=grown),
        ]
    )


def draw(data, exponent, depth) -> Drawing:
    """The shared feature's part against its gain, for the three kinds of training, by depth."""
    x, panels = exponent.values, []
    y = Axis("output fraction of the shared feature", low=-0.05, high=1.1)
    for k in depth.values:
        one = data.sel(depth=k)
        marks = [
            Points("squared loss, small initialization", x, one.squared.values),
            Line("weight decay", x, one.decayed.values, role="second"),
            Line("logistic loss", x, one.logistic.values, role="control"),
            Event(r"minimum $\ell_1$ changes", 1.0),
            Event(r"minimum $\ell_{2/D}$ changes", float(k) / 2),
        ]
        panels.append(Panel(marks, Axis("$e$: the shared feature has gain $m^{-e}$"), y, title=f"Depth {int(k)}"))
    return Drawing(
        panels,
        columns=3,
        caption=r"Each sample can be fitted by a feature of its own or all by a shared one of small gain. With the squared loss "
        r"from small weights the shared feature is used up to $e = 1$, as for $\ell_1$, at every depth; with weight decay or the "
        r"logistic loss, from the better of two initializations, up to $e = D/2$.",
    )


CLAIM = Claim(
    id="woodworth2020/explicit_against_implicit",
    kind="statement",
    title=r"Weight decay prefers $\ell_{2/D}$, the implicit bias $\ell_1$",
    says=r"For $u^D - v^D$ minimum $\|\theta\|^2$ is minimum $\|\beta\|_{2/D}$, to which weight decay and the logistic loss lead "
    r"(the better of their local minima), while the squared loss from a vanishing initialization leads to minimum $\ell_1$ at "
    r"every depth.",
    source="woodworth2020, section 5, after theorem 3",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"bend": 1.0},
    controls=[Control(r"$\ell_1$ for all of them", changes={"bend": 0.0}, breaks=("weight_decay", "logistic"))],
    seconds={"quick": 50, "paper": 60},
)
