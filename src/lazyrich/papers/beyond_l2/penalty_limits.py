r"""Theorem C.4 and the elastic net: what penalties that are not small do, $\ell_1$ alone or with weight decay."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Event, Panel, Points, Slope
from ...claims.labelled import norm, relative_distance, spread
from ...claims.marks import family, log_axis
from .simulations.penalty_limits import ELASTIC, SCALED


def judge_threshold(data, scale, times, form) -> Evidence:
    """Whether the threshold predicts which runs fit their data; and recovery far above the printed one."""
    fitted, predicted = data.train < 0.1, data[form] > 1  # the threshold is above the strength
    large = data.sel(scale=scale.max(), times=times.max())
    return Evidence(
        sound=[
            at_most(
                "fraction of runs within a factor of two of the true threshold",
                (abs(np.log(data.aware)) < np.log(2)).mean(),
                0.1,
                key="margin",
                why="near the threshold a fit is neither good nor bad",
            )
        ],
        holds=[
            at_least(
                "fraction of runs that the threshold classifies correctly",
                (fitted == predicted).mean(),
                0.9,
                key="classified",
                why="above it the minimizer is zero; at a hundredth of it the error is some hundredths; a tenth for runs near it",
            ),
            at_most(
                "recovery error of the largest signal at the largest strength, median",
                large.recovery.median(),
                0.1,
                key="recovery",
                why="twenty times the printed threshold is a hundredth of the true one: a bias of some hundredths",
            ),
            at_most(
                r"largest entry at strengths above the true threshold / $(\alpha\beta_1)$, maximum",
                data.band.where(data.aware < 1).max(),
                2,
                key="band",
                why=r"a step moves an entry by $\alpha$ times ($\beta_1$ + gradient), each at most $\beta_1$: a band around zero",
            ),
        ],
    )


def draw_threshold(data) -> Drawing:
    """Training errors of all runs against the strength over each threshold."""
    x, y = log_axis("strength / threshold"), log_axis("relative training error")
    panels = []
    for name, title in (("printed", "The printed threshold"), ("aware", r"The threshold $\|X^\top y\|_\infty$")):
        marks = family(r"signal $\times {}$", 1 / data[name], data.train, "scale", mark=Points)
        panels.append(Panel([*marks, Event("threshold", 1.0)], x, y, title=title))
    return Drawing(
        panels,
        caption="Subgradient descent, all trials. Left: whether the data are fitted is independent of the printed threshold, "
        r"which does not depend on the size of the signal. Right: it is decided by $\|X^\top y\|_\infty$.",
    )


def predict(problem, strength, ratio):
    """The elastic net and the ridge solution."""
    from ...predictors import ElasticNet, Ridge

    return {
        "elastic": ElasticNet(strength, ratio * strength, "half_sum").solve(problem.train),
        "ridge": Ridge(ratio * strength, "half_sum").solve(problem.train),
    }


def judge_elastic(data, theory, d, learning_rate, strength, ratio) -> Evidence:
    """The limit beside the elastic net, its distance from ridge beside the bound, and recovery by the weight decay."""
    ends = data.sortby("ratio").sortby("strength", ascending=False)
    apart = norm(data.end - theory["ridge"].effective)
    free, stuck = ends.isel(ratio=0), ends.isel(ratio=-1, strength=-1)
    largest = abs(theory["ridge"].effective).max("d")
    return Evidence(
        holds=[
            at_most(
                "relative distance of the end from the elastic net, median",
                relative_distance(data.end, theory["elastic"].effective).median(),
                1e-3,
                key="elastic_net",
                why="the limit of proximal descent; the median leaves out trials that have not converged by the horizon",
            ),
            at_most(
                "distance from the ridge solution / bound, maximum",
                (apart * ratio / d**0.5).max(),
                1 + 1e-2,
                key="bound",
                why=r"$(H+\beta_2)(b-\hat b)=-\beta_1\operatorname{sign}b$ with $H\geq 0$ and $n$ signs; 1% for the horizon",
            ),
            at_most(
                "recovery error with the least weight decay and strength, median",
                free.recovery.isel(strength=-1).median(),
                0.05,
                key="free",
                why=r"the $\ell_1$ penalty recovers the ground truth up to its bias",
            ),
            at_least(
                "recovery error with the most weight decay, minimum over trials",
                stuck.recovery.min(),
                0.5,
                key="stuck",
                why="that of the ridge solution, 0.84 on average with a standard deviation of 0.04, within a tenth",
            ),
            at_most(
                "training error with the most weight decay, median",
                stuck.train.median(),
                0.2,
                key="fit",
                why="weight decay over curvature, 0.03 over 0.2 to 2: the data are still fitted",
            ),
            at_most(
                "spread of the recovery error between strengths at one ratio, median",
                spread(data.recovery, "strength").median(),
                0.05,
                key="spread",
                why="as both vanish the limit depends on their ratio alone; the bias of the larger is some hundredths",
            ),
            at_least(
                r"$\|\hat b\|_\infty/(\alpha\beta_1)$ with the most weight decay, minimum over trials",
                (largest / (learning_rate * strength)).sel(ratio=stuck.ratio, strength=stuck.strength).min(),
                100,
                key="condition",
                why="the paper requires less than one: much less weight decay prevents recovery",
            ),
        ]
    )


def draw_elastic(data, theory, d, ratio) -> Drawing:
    """Recovery error and distance from ridge against the ratio of penalties, a line for each strength."""
    apart = norm(data.end - theory["ridge"].effective).median("trial")
    x = log_axis(r"$\beta_2/\beta_1$")
    recovery, distance = (family(r"$\beta_1 = {}$", ratio, part, "strength") for part in (data.recovery.median("trial"), apart))
    ends = [float(ratio.values[1 if ratio.size > 1 else 0]), float(ratio.values[-1])]
    bound = Slope("bound", ends, (ends[0], float(np.sqrt(d) / ends[0])), -1)
    return Drawing(
        [
            Panel(recovery, x, Axis("relative recovery error"), title="From the ground truth"),
            Panel([*distance, bound], x, log_axis("distance"), title="From the ridge solution"),
        ],
        caption="Limits of proximal descent, medians over trials. The ratio of the penalties decides: with "
        r"$\beta_2\gg\beta_1$ the limit is the ridge solution, which fits the data and is not the ground truth.",
    )


CLAIMS = (
    Claim(
        id="beyond_l2/theorem_c_4",
        kind="erratum",
        title="Too large a penalty: relative to the data, not to the curvature",
        says=r"Descent with an $\ell_1$ penalty fits nothing once $\beta_1>\|X^\top y\|_\infty$, and stays in a band around "
        r"zero; the printed threshold $\sigma_{\max}/\sqrt{n}$ is independent of the size of the signal and predicts nothing.",
        source="beyond_l2, theorem C.4",
        simulation=SCALED,
        judge=judge_threshold,
        draw=draw_threshold,
        constants={"form": "aware"},
        aliases=("lemma_c_5", "theorem_d_5", "lemma_d_6"),
        least={"scale": 2, "times": 2},
        controls=[Control("the printed threshold", changes={"form": "printed"}, breaks=("classified",))],
        seconds={"quick": 15, "paper": 120},
    ),
    Claim(
        id="beyond_l2/elastic_net_stuck",
        kind="statement",
        title="With too much weight decay descent ends at the ridge solution",
        says=r"With weight decay beside the $\ell_1$ penalty descent converges to within $\sqrt{n}\beta_1/\beta_2$ of the "
        r"ridge solution: $\beta_2\gg\beta_1$ fits the data and does not recover the ground truth, whatever the learning rate.",
        source="beyond_l2, appendix C.6",
        simulation=ELASTIC,
        predict=predict,
        judge=judge_elastic,
        draw=draw_elastic,
        least={"ratio": 2, "strength": 2},
        controls=[Control(r"$\beta_2\leq\beta_1/10$ throughout", changes={"ratio": (0.03, 0.1)}, breaks=("stuck",))],
        seconds={"quick": 20, "paper": 100},
    ),
)
