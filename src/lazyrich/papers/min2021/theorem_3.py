r"""Theorem 3 and what its proof rests on: imbalance and initial margin bound the rate, and the loss never increases."""

from dataclasses import replace
from functools import partial

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Panel, Points, Rule
from ...claims.marks import log_axis
from .shared.convergence import LOSS, NEAR_TARGET, above_bound, below_bound, guaranteed, loss_panel
from .shared.marks import TIME, seeds
from .simulations.linear_net_flow import SIMULATION


def judge_monotone(data) -> Evidence:
    """The largest increase of the loss between two times, and how often the guaranteed rate decreases."""
    rise = data.excess.diff("t") / data.excess.isel(t=slice(0, -1), drop=True).values
    lower = data.guaranteed.diff("t") < -1e-12 * data.guaranteed.isel(t=-1, drop=True)
    flow = r"$\dot L = -\|\nabla L\|^2$; between two times the loss falls by far more than the solver tolerance, 1e-10"
    monotone = "an increasing function of the margin for conserved imbalance, up to rounding error"
    name = "fraction of times at which the guaranteed rate is lower than before"
    return Evidence(
        holds=[
            at_most("relative increase of the loss between two times, maximum", rise.max(), 0, key="loss", why=flow),
            at_most(name, lower.mean(), 0, key="guarantee", why=monotone),
            at_least(
                "final margin over initial margin, minimum",
                (data.margin.isel(t=-1) / data.margin.isel(t=0)).min(),
                1.5,
                key="margin",
                why="initially half of the smallest singular value of the target, so that a fit doubles it",
            ),
        ]
    )


def draw_monotone(data) -> Drawing:
    """The loss and the guaranteed rate of some seeds."""
    one = data.isel(tilt=-1, imbalance=-1, ratio=0, near=0, away=0)
    loss, bound = one.excess / one.excess.isel(t=0), one.guaranteed / one.guaranteed.isel(t=-1)
    return Drawing(
        [
            Panel(seeds(one.time, loss, 4), TIME, LOSS, title="The loss decreases"),
            Panel(seeds(one.time, bound, 4), TIME, Axis("$c(t)$ over its final value"), title="The guarantee grows"),
        ],
        caption="Initializations near the target. As the loss decreases, the predictor approaches the target, and the bound on "
        "the rate that follows from their distance grows.",
    )


def slowest(data):
    """The final rate of the slowest mode over the rate guaranteed at initialization, where there is no margin."""
    return (data.lemma_7.isel(t=-1) / data.guaranteed.isel(t=0)).sel(near=0)


def judge(data, factor) -> Evidence:
    """The loss and the rate beside the initial guarantee, and how tight it becomes as the layers differ in scale."""
    theory = data.guaranteed.isel(t=0)
    strict = "theorem 3; the error initially decays faster than the slowest mode, so that the bound is strict"
    return Evidence(
        sound=[guaranteed(data, theory, 8, "without imbalance and margin there is no guarantee")],
        holds=[
            below_bound(data, factor * theory, strict),
            above_bound(data, factor * theory, "shown in the proof: the guarantee bounds the rate at all times"),
            at_most(
                "final slowest mode over the guarantee at the largest ratio of the layers, maximum",
                slowest(data).isel(ratio=-1).max(),
                1.02,
                key="tight",
                why=r"they differ by the relative size of the smaller layer, $\rho^{-2} = 4 \cdot 10^{-4}$",
            ),
        ],
    )


def draw(data, ratio) -> Drawing:
    """The loss from three initializations with its bound, and the tightness of the guarantee against the ratio of the layers."""
    one = data.isel(trial=0, tilt=0, away=0, imbalance=0)
    runs = []
    for name, near, at in (("equal layers", 0, 0), ("unequal layers", 0, -1), ("near the target", 1, 0)):
        run = one.sel(near=near).isel(ratio=at)
        runs.append((name, run.assign(time=run.time * run.guaranteed.isel(t=0)), 1.0))
    panel = loss_panel(runs, "Loss and guarantee", r"$\lambda_rc(0)\,t$")
    loss = [*panel.marks[::2], replace(panel.marks[1], name="theorem 3")]
    tight = slowest(data).isel(imbalance=0, away=0, tilt=0)
    median = Points("median", ratio.values, tight.median("trial").values, error=tight.std("trial").values)
    x, y = log_axis("scale of $U$ over that of $V$"), Axis("slowest mode over the guarantee")
    return Drawing(
        [replace(panel, marks=loss), Panel([median, Rule("equality", 1.0)], x, y, title="The guarantee becomes tight")],
        caption="Left: the loss from three initializations on whitened inputs, time in units of the guaranteed rate. Right: the "
        "final rate of the slowest mode over the initially guaranteed one, for one product and layers of different scale.",
    )


claim = partial(Claim, simulation=SIMULATION)
CLAIMS = (
    claim(
        id="min2021/monotone_loss",
        kind="statement",
        title="The loss never increases, the guarantee never decreases",
        says="Along gradient flow the excess loss is non-increasing (the text prints non-decreasing). Hence the margin and the "
        "guaranteed rate never decrease: a bound on the rate at one time holds at all later times.",
        source="min2021, sections 3.1 and 3.3",
        judge=judge_monotone,
        draw=draw_monotone,
        sizes=NEAR_TARGET,
        controls=[
            Control(
                "weight decay, from an initialization close to the target",
                changes={"weight_decay": 0.1, "away": (0.02,)},
                breaks=("loss", "guarantee", "margin"),
            )
        ],
        seconds={"quick": 10, "paper": 40},
    ),
    claim(
        id="min2021/theorem_3",
        kind="theorem",
        title="Imbalance or margin makes the loss decay exponentially",
        says=r"$L(t) - L^* \leq \exp(-\lambda_r(\Sigma_X)\,c(0)\,t)\,(L(0) - L^*)$, where $c(0)$ is the bound of proposition 1 "
        r"with the singular values of the product $U_1V^\top$ replaced by the margin $\max(\sigma(\tilde Y) - \|E(0)\|_F, "
        r"0)/\lambda_1^{1/2}(\Sigma_X)$.",
        source="min2021, theorem 3",
        judge=judge,
        draw=draw,
        constants={"factor": 1.0},
        least={"near": 2, "ratio": 2},
        controls=[Control("twice the rate", changes={"factor": 2.0}, breaks=("loss", "rate"))],
        seconds={"quick": 15, "paper": 120},
    ),
)
