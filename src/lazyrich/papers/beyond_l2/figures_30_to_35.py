"""Figures 30 to 35: depth recovers a sparse vector, without penalty or, from a large initialization, with weight decay."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from .shared import depth
from .shared.figure_claim import figure
from .simulations.hadamard import LARGE, SMALL

SMALL_INIT = "from a small initialization without any penalty"
LARGE_INIT = "from a large initialization with small weight decay"


def abruptness(run):
    """The fraction of the fall of the log error until memorization in its steepest tenth of the steps; NaN if never fitted."""
    import xarray as xr

    def one(step, train, memorization):
        if not np.isfinite(memorization):
            return np.nan
        until = np.diff(step) * (step[1:] <= memorization)
        fall = -np.diff(np.log(train))[until > 0]
        wide = until[until > 0]
        steepest = np.argsort(-fall / wide)
        return fall[steepest][np.cumsum(wide[steepest]) <= 0.1 * memorization].sum() / fall.sum()

    return xr.apply_ufunc(
        one, run.steps, run.train, run.memorization, input_core_dims=[["t"], ["t"], []], vectorize=True, output_dtypes=[float]
    )


def small_trial(data, d) -> Evidence:
    """Figure 30: which depths recover the ground truth from half of the measurements, when, and how abruptly."""
    deep = depth.half_rows(depth.several(data), d)
    two, three = deep.isel(depth=0), deep.isel(depth=1)
    ratio = (three.generalization / three.memorization).where(np.isfinite(three.memorization))
    steep = abruptness(deep).median("trial")
    return Evidence(
        sound=[depth.far_from_edge(data)],
        holds=[
            *depth.one_factor(data, d),
            depth.recovers("two", two, 0.8, "the paper; off the support entries end at a power of the initialization"),
            depth.prompt(two),
            depth.recovers("three", three, 0.6, "the paper; a ground truth with a small entry may not be recovered in time"),
            at_most(
                "recovery time of three factors over their memorization time, minus one, median",
                abs(ratio - 1).median(),
                0.5,
                key="three_delay",
                why="the paper: the delay disappears; an entry grows within a tenth to a third of the time of its plateau",
            ),
            at_least(
                "fraction of the fall of the log error in its steepest tenth of the steps: three factors minus two, median",
                float(steep.isel(depth=1) - steep.isel(depth=0)),
                0.1,
                key="abruptness",
                why="the paper: more and more abrupt, by steps; plateaus last like the logarithm of the initialization with two "
                "factors, like a power of it with more",
            ),
        ],
    )


def small_errors(data, n, d, level) -> Evidence:
    """Figure 31: final errors by depth, with the largest number of measurements and with fewer."""
    deep = depth.several(data).recovery.isel(t=-1)
    most = depth.most_rows(deep).median("trial").isel(depth=0) / level
    one, fewer = (part.sortby("n").isel(n=slice(None, -1)) for part in (data.shallow, deep))
    name = "final error of two factors over the level, with the most measurements, median"
    return Evidence(
        sound=[depth.far_from_edge(data)],
        holds=[
            near(
                "squared error of one factor plus $N/n$, mean",
                (data.shallow**2 + n / d).mean(),
                1,
                0.08,
                key="depth_1_error",
                why="least squares leaves $1 - N/n$ of the squared norm of the ground truth; single trials deviate by 0.06",
            ),
            at_most(name, most, 1, key="two_recover", why="the level of recovery"),
            at_most(
                "error of two factors over that of one, with fewer than the most measurements, median over trials and $N$",
                (fewer.isel(depth=0) / one).median(),
                0.6,
                key="two_over_one",
                why=r"the paper: depth helps; most of the ground truth is recovered even with too few measurements for $\ell_1$",
            ),
            at_most(
                "error of three factors over that of two, with fewer than the most measurements, median over trials and $N$",
                (fewer.isel(depth=1) / fewer.isel(depth=0)).median(),
                0.9,
                key="three_over_two",
                why="the paper: it falls with depth; with longer plateaus the largest entries are fitted before others grow",
            ),
        ],
    )


def longer(more: str, fewer: str, ratio, why: str):
    """Figure 32: the median memorization time of so many factors over that of one less."""
    name = f"memorization time of {more} factors over that of {fewer}, $N = n/2$, median"
    return at_least(name, ratio, 2, key=f"{more}_over_{fewer}", why=why)


def small_times(data, d) -> Evidence:
    """Figure 32: times from half of the measurements: of recovery, and of memorization over that of fewer factors."""
    half = depth.half_rows(data, d)
    deep = depth.several(half)
    one = depth.single(half).memorization.median("trial").min()
    two, three = (deep.memorization.median("trial").isel(depth=at) for at in (0, 1))
    logarithm = "an entry's plateau lasts for the logarithm of its initialization, here 14, over its gradient"
    power = "the paper: a longer training; the plateau lasts for a power of the initialization, here 100, over the gradient"
    return Evidence(
        sound=[depth.far_from_edge(data)],
        holds=[
            *depth.one_factor(data, d),
            depth.one_never(data, "least squares"),
            depth.prompt(deep.isel(depth=0)),
            longer("two", "one", two / one, logarithm),
            longer("three", "two", three / two, power),
        ],
    )


def large_trial(data, level, d) -> Evidence:
    """Figure 33: errors at memorization and at the end, and the time between, from half of the measurements."""
    deep = depth.half_rows(depth.several(data), d)
    two, end = deep.isel(depth=0), deep.recovery.isel(t=-1)
    first = "the first interpolant depends on the initialization: off the support 0.01 in each entry, 0.1 in norm"
    units = r"recovery takes one to two units of $1/(\alpha\lambda)$, 20,000 steps; memorization some thousand"
    return Evidence(
        sound=[depth.far_from_edge(data)],
        holds=[
            *depth.one_factor(data, d),
            depth.recovers("two", two, 0.8, "they converge to the lasso, whose bias is a few times the weight decay"),
            depth.error_at_fit("two factors, $N = n/2$", two, level, 2, first),
            depth.delay("two factors, $N = n/2$", two, units),
            at_most(
                "final error of three factors over the level, $N = n/2$, median",
                end.isel(depth=1).median() / level,
                1,
                key="three_recover",
                why="the paper: they generalize",
            ),
        ],
    )


def large_errors(data, d) -> Evidence:
    """Figure 34: final errors of more factors compared to one factor and to memorization, and errors at memorization."""
    half = depth.half_rows(data, d)
    deep = depth.several(half)
    end, alone = deep.recovery.isel(t=-1), depth.single(half).recovery.isel(t=-1).max("depth")
    return Evidence(
        sound=[depth.far_from_edge(data)],
        holds=[
            at_most(
                "final error of two factors or more over that of one, median, maximum over depths",
                (end / alone).median("trial").max(),
                0.1,
                key="more_over_one",
                why="the paper: considerably lower; one leaves 0.7 of the norm, more leave a few times the weight decay, 1e-2",
            ),
            at_least(
                "error of two factors at memorization over their final error, median",
                (deep.at_fit / end).isel(depth=0).median(),
                5,
                key="improvement",
                why="0.1 compared to 0.01: weight decay moves a product that fits the data to the ground truth",
            ),
            at_most(
                "error of three factors at memorization over that of two, median",
                (deep.at_fit.isel(depth=1) / deep.at_fit.isel(depth=0)).median(),
                0.7,
                key="three_over_two",
                why="the paper: less is left to recover; an entry is initialized at $0.1^3$ instead of $0.1^2$",
            ),
        ],
    )


def large_times(data, learning_rate, weight_decay, d) -> Evidence:
    r"""Figure 35: delays from half of the measurements, by depth, and in units of $1/(\alpha\lambda)$ for two factors."""
    deep = depth.several(depth.half_rows(data, d))
    ratio, wait = deep.generalization / deep.memorization, (deep.generalization - deep.memorization).median("trial")
    delay, name = wait.isel(depth=0) * learning_rate * weight_decay, r"delay of two factors times $\alpha\lambda$, median"
    decay = r"off the support entries fall as $e^{-2(1-q)T}$ with $T = \alpha\lambda t$: to a tenth at $T = 1$ or later"
    slow = "the same, with relative gradients $q$ up to 0.75"
    return Evidence(
        sound=[depth.far_from_edge(data)],
        holds=[
            depth.one_never(data, "the ridge solution"),
            at_least(f"{name}, from below", delay, 0.5, key="delay_from_below", why=decay),
            at_most(f"{name}, from above", delay, 5, key="delay_from_above", why=slow),
            at_most(
                "recovery time over memorization time: three factors over two, median",
                (ratio.isel(depth=1) / ratio.isel(depth=0)).median(),
                0.6,
                key="relative_delay",
                why="the paper: grokking is accelerated; less is left to recover after a later memorization",
            ),
            at_most(
                "delay of three factors over that of two, median",
                wait.isel(depth=1) / wait.isel(depth=0),
                0.8,
                key="delay_by_depth",
                why="the paper: fewer steps from memorization to generalization",
            ),
        ],
    )


def claim(number: int, title: str, says: str, judge, draw, caption: str, breaks: tuple[str, ...], *, large: bool) -> Claim:
    """The claim of one figure, from a small initialization without penalty or from a large one with weight decay."""
    # At the paper's size more factors and measurements are at the edge of stability from a larger initialization. From the
    # large one a fourth factor with 70 measurements has learning rate times sharpness of 1.6 to 1.9: no longer a flow.
    where = LARGE_INIT if large else SMALL_INIT
    early = Control("stopped before weight decay has acted", changes={"reach": 0.3}, breaks=breaks)
    not_small = Control("an initialization that is not small", size="quick", changes={"init_scale": 3.0}, breaks=breaks)
    return figure(
        number,
        title,
        f"{where.capitalize()} {says}",
        judge,
        partial(draw, caption=f"{where}. {caption}"),
        simulation=LARGE if large else SMALL,
        sizes={"paper": {"depth": (1, 2, 3)}} if large else {},
        least={"depth": 3, "n": 2},
        controls=[early if large else not_small],
        seconds={"quick": 20, "paper": 500},
    )


small, large = partial(claim, large=False), partial(claim, large=True)
CLAIMS = (
    small(
        30,
        "Depth recovers the ground truth as it fits the data",
        "one factor fits the data and does not recover the ground truth, two factors recover it at about the memorization time, "
        "and more recover it at that time, more abruptly and by steps.",
        small_trial,
        depth.draw_trial,
        "One factor fits the data and never recovers; two recover as they fit; more do both together, later and by steps.",
        ("two_recover", "no_delay"),
    ),
    small(
        31,
        "With depth, fewer measurements suffice",
        "the recovery error falls with the number of factors: with few measurements it is lower with three than with two, and "
        "lower with two than with one, which is least squares.",
        small_errors,
        depth.draw_errors,
        "With more factors fewer measurements suffice.",
        ("two_recover", "two_over_one"),
    ),
    small(
        32,
        "Depth: no delay, but a longer training",
        "two factors recover the ground truth at 0.6 to 1.2 of the memorization time, which grows with the number of factors; "
        "one factor never recovers it, alone or as the difference of two with equal initialization.",
        small_times,
        partial(depth.draw_times, scale="linear"),
        "One factor never recovers; with more the ground truth is recovered as the data are fitted.",
        ("no_delay",),
    ),
    large(
        33,
        "Large initialization and weight decay: two factors or more grok, one does not",
        "the data are fitted first; two factors recover the ground truth long after, three soon after; one factor converges to "
        "the ridge solution, whatever its initial output.",
        large_trial,
        depth.draw_trial,
        "One factor converges to the ridge solution; two fit early and recover late; with more, recovery follows sooner.",
        ("two_recover",),
    ),
    large(
        34,
        "Large initialization and weight decay: final errors by depth",
        "the final recovery error is far lower with two factors or more than with one; that at memorization falls with depth.",
        large_errors,
        depth.draw_errors,
        "With depth the error is lower at memorization, and far lower at the end.",
        ("improvement",),
    ),
    large(
        35,
        "Large initialization and weight decay: depth shortens the delay",
        r"two factors recover the ground truth one to a few units of $1/(\alpha\lambda)$ after memorization, with learning rate "
        r"$\alpha$ and weight decay $\lambda$; three sooner, in steps and relative to the memorization time; one never does.",
        large_times,
        partial(depth.draw_times, scale="log"),
        "The delay between memorization and recovery shrinks with depth.",
        ("delay_from_above",),
    ),
)
