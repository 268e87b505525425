r"""The $\ell_2$ norm of the weights is no progress measure: between $t_1$ and $t_2$ it grows at depth 1 and falls at depth 2."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Event, Line, Panel
from .shared.phases import ERROR, STEPS, once
from .simulations.hadamard import NORMS


def growth(data, name: str, ways: str):
    """A norm at recovery over that at memorization; NaN where one of them did not happen."""
    first, last = data[f"{ways}_memorization"], data[f"{ways}_generalization"]
    ratio = once(data[name], data.steps, last) / once(data[name], data.steps, first)
    return ratio.where(np.isfinite(first) & np.isfinite(last))


def judge(data, n, d) -> Evidence:
    """Whether both recover the ground truth, and how the norms change from memorization to recovery."""
    recovered = [float(np.isfinite(data[f"{ways}_generalization"]).mean()) for ways in ("one", "two")]
    one, two = growth(data, "one_l2", "one"), growth(data, "two_weights", "two")
    return Evidence(
        sound=[
            at_most(
                "learning rate times sharpness at depth 2, maximum",
                data.two_edge.max(skipna=False),
                1,
                key="sharpness",
                why="below 1 no step overshoots, and gradient descent follows gradient flow; from 2 on it is unstable",
            )
        ],
        holds=[
            at_least(
                "fraction recovered, minimum of both depths",
                min(recovered),
                0.8,
                key="recovered",
                why="both converge to the lasso",
            ),
            near(
                r"squared ratio of $\|b\|_2$ at recovery to that at memorization, times $N/n$, depth 1, median",
                (one**2).median() * n / d,
                1,
                0.3,
                key="norm_law",
                why="least squares keeps $N/n$ of the squared norm; a median of six trials has standard deviation 0.07",
            ),
            at_least(
                r"$\|b\|_2$ at recovery over that at memorization, depth 1, median",
                one.median(),
                1.2,
                key="norm_grows",
                why=r"$\sqrt{n/N}$ is 1.41 for half of the rows, 1.05 for nine tenths of them",
            ),
            at_most(
                r"$\ell_2$ norm of both factors at recovery over that at memorization, depth 2, maximum",
                two.max(),
                0.95,
                key="norm_falls",
                why=r"weight decay removes the part of the initialization, $2\zeta^2$ of a square that ends at $2\|b^*\|_1$",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Errors and norms of one trial, at both depths."""
    one, panels = data.isel(trial=0, t=slice(1, None)), []
    steps, y = one.steps.values, Axis(r"$\ell_2$ norm of all weights", low=0.0)
    for ways, title, name in (
        ("one", r"One factor, $\ell_1$ penalty", "one_l2"),
        ("two", "Two factors, weight decay", "two_weights"),
    ):
        first, last = (float(one[f"{ways}_{time}"]) for time in ("memorization", "generalization"))
        both = [Event("memorization", first, role="control"), Event("recovery", last)]
        times = [time for time in both if np.isfinite(time.x)]
        train = Line("training", steps, one[f"{ways}_train"].values, role="second")
        recovery = Line("recovery", steps, one[f"{ways}_recovery"].values)
        norm = Line(r"$\ell_2$ norm", steps, one[name].values)
        panels.append(Panel([train, recovery, *times], STEPS, ERROR, title=title))
        panels.append(Panel([norm, *times], STEPS, y, title=title, legend=False))
    return Drawing(
        panels,
        caption=r"One trial, two ways to recover the same ground truth. From memorization to recovery the $\ell_2$ norm of the "
        r"weights grows with an $\ell_1$ penalty on one factor, and decreases with weight decay on two.",
    )


CLAIM = Claim(
    id="beyond_l2/l2_norm_is_no_measure",
    kind="statement",
    title=r"The $\ell_2$ norm is no progress measure",
    says=r"From memorization to recovery of the same sparse vector the $\ell_2$ norm of all weights grows by about $\sqrt{n/N}$ "
    r"for one factor with an $\ell_1$ penalty, and decreases for two factors with weight decay: it does not indicate "
    "generalization.",
    source="beyond_l2, section 1",
    simulation=NORMS,
    judge=judge,
    draw=draw,
    controls=[Control("nearly as many measurements as unknowns, where memorization recovers", {"n": 90}, ("norm_grows",))],
    seconds={"quick": 20, "paper": 60},
)
