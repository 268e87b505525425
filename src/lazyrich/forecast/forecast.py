"""Forecast: will a model switch from the kernel solution to that of its penalty, when, and to what test error."""

import time
from collections.abc import Mapping
from typing import Any

import equinox as eqx
import numpy as np

from ..dynamics.optimizers import MOMENTUM
from ..dynamics.sharpness import edge
from ..errors import BadInput
from ..losses import Squared
from ..models.homogeneity import rescaled
from ..objective import Objective
from ..problems import Entries, Split
from ..regularizers import L1, L2, Nuclear
from . import hypotheses, levels, pilot, slow, widths
from .pace import ADAPTIVE, Pace, pace
from .record import Forecast, Interval, Level
from .transition import APART, SETTLED, Seen, apart, seen

# A descent whose learning rate times the sharpness at initialization is above this is unstable: 2, and 2(1 + m) with momentum m.
EDGES = {"descent": 2.0, "momentum": 2 * (1 + MOMENTUM)}
# The reasons where there is no penalty, for squares and for labels.
FITTED_AND_STILL = "no transition: there is no penalty, so nothing moves the model once it fits"
NEVER_STILL = (
    "no transition at a known time: there is no penalty, so the loss keeps falling, and the direction of the weights moves "
    "like log t to a maximum margin"
)
SMALL = "the initialization is so small that the model is rich from the beginning"
EQUAL = "the early and the late test error are the same"


def forecast(
    objective: Objective,
    init: Any,
    *,
    test: Split | Entries,
    optimizer: Any = None,
    learning_rate: float | None = None,
    cheap_run: bool = True,
) -> Forecast:
    r"""The test error of this training early and late, and the time between, before it is trained.

    Early is the tangent kernel solution at initialization, late the minimizer of the penalty where that can be solved for.
    With weight decay on a model of degree $D\ge 2$ the time comes from one `cheap_run` of the same model from scale
    $\alpha = 4$, shifted by $\log(\alpha/4)/\lambda$; without it from $(\log\alpha + C)/\lambda$ alone, with a wider interval.
    With an $\ell_1$ or nuclear penalty on plain weights it is that of the slow flow over the strength. `optimizer` is a flow
    (the default), a descent, or one of descent, momentum, adam, adamw with its `learning_rate`: then times are step counts.
    Assumes: a homogeneous model; one that is nearly so gets a wider interval. Source: lyu2024, theorems 3.4 and 3.5.
    """
    begins = time.perf_counter()
    hypotheses.require_test(objective, init, test)
    clock, found = pace(optimizer, learning_rate), hypotheses.measured(objective, init)
    _require_stable(objective, init, clock)
    kinds = {type(penalty) for penalty, strength in objective.penalties if float(strength) > 0}
    training = _Measured(objective, init, test, clock, found, begins)
    if not kinds:
        return training.without_penalty()
    if kinds <= {L2}:
        return (training.degree_one if training.plain else training.two_phases)(cheap_run)
    if len(kinds) == 1 and kinds <= {L1, Nuclear} and isinstance(objective.loss, Squared):
        return training.slow_phase()
    names = " and ".join(sorted(kind.__name__ for kind in kinds))
    raise BadInput(
        needed="a forecast takes L2 alone, or L1 or Nuclear alone with the squared loss",
        given=f"{names} with {type(objective.loss).__name__}",
        cure="Leave one penalty out.",
    )


class _Measured:
    """A training, what was measured of it, and when its forecast began."""

    def __init__(self, objective, init, test, clock: Pace, found: hypotheses.Measured, begins: float):
        self.objective, self.init, self.test, self.clock, self.found, self.begins = (objective, init, test, clock, found, begins)
        self.measure = "error" if isinstance(objective.loss, Squared) else "accuracy"
        # Two standard errors of a share of the test, or five points.
        count = int(test.y.shape[0])
        self.least = widths.DOUBT * (max(APART, 1.0 / count**0.5) if self.measure == "accuracy" else APART)
        self.strength = float(sum(float(size) for _, size in objective.penalties))
        self.plain = found.degree < 2 - hypotheses.NONE

    def without_penalty(self) -> Forecast:
        """Squares are fitted and nothing moves after that; other losses keep falling, and no time of a transition is known."""
        lazy = levels.early(self.objective, self.init, self.test)
        first, last = lazy.level, lazy.level if self.plain else levels.late(self.objective, self.init, self.test)
        rich, reason = not self.plain and self._alpha(lazy.move, 1.0) < 1, FITTED_AND_STILL
        if self.measure == "accuracy":
            reason = NEVER_STILL
            first = Level(None, "unknown", "an initialization this small is not lazy") if rich else first
        elif rich:
            reason, first = f"{FITTED_AND_STILL}; {SMALL}", last
        return self._no(reason, first, last)

    def degree_one(self, cheap_run: bool) -> Forecast:
        """From zero the model is its own kernel; else weight decay removes the part of the initialization that no sample sees."""
        early = levels.early(self.objective, self.init, self.test).level
        late = levels.late(self.objective, self.init, self.test)
        if hypotheses.silent(self.objective, self.init, self.test) and self.clock.name not in ADAPTIVE:
            if late.test_error is None:
                late = Level(early.test_error, early.kind, f"{early.says}, for a small weight decay")
            return self._no("no transition: a model of degree 1 initialized at zero is its own kernel", early, late)
        if not cheap_run:
            raise BadInput(
                needed="without a cheap run a model of degree 1 is forecast only when initialized at zero",
                given=f"outputs of {self.found.output:.2g} of the targets, or {self.clock.name}, which leaves the kernel",
                cure="Allow the cheap run, or initialize at zero.",
            )
        # The maximum margin does not depend on the initialization, but labels do: their early level is read off the run.
        unread = Level(None, "unknown", "an initialization that is not zero")
        return self._by_run(unread if self.measure == "accuracy" else early, late, 1.0, {})

    def slow_phase(self) -> Forecast:
        """Fitted at once, then along the interpolants to the minimum norm."""
        if self.clock.per_step is None:
            raise BadInput(
                needed="a weak penalty is forecast for optimizers that keep its strength",
                given=f"{self.clock.name}, which rescales its gradient",
                cure="Use adamw, which decouples it, or a descent.",
            )
        path = slow.path_of(self.objective, self.init)
        times, test = slow.levels(self.objective, path, self.test)
        first, late = float(test[0]), levels.late(self.objective, self.init, self.test)
        last = float(test[-1]) if late.test_error is None else late.test_error
        late = Level(last, "solved", "the end of the slow flow" if late.test_error is None else late.says)
        early = Level(first, "solved", "the interpolant nearest to the initialization")
        middle, width = (one / self.strength for one in slow.slow_switch(times, test))
        fit = slow.fit_time(self.objective, self.init)
        details: dict[str, Any] = {"width": width, "fit": fit, "slow_time": float(path.times[-1])}
        if not apart(first, last, self.measure, least=self.least):
            return self._no(f"no transition: {EQUAL}", early, late, details)
        if middle < SETTLED * fit:
            reason = "no transition: the penalty is so strong that it acts while the data are fitted"
            return self._no(reason, early, late, details)
        half = widths.SLOW + (widths.PACED[self.clock.name] if self.clock.name in ADAPTIVE else 0.0)
        times = [share * middle for share in (1 - half, 1.0, 1 + half)]
        return self._yes(times, early, late, details, worse=last > first)

    def two_phases(self, cheap_run: bool) -> Forecast:
        r"""Kernel first, the solution of weight decay from about $\log(\alpha)/\lambda$ on."""
        lazy = levels.early(self.objective, self.init, self.test)
        late = levels.late(self.objective, self.init, self.test)
        held = 1.0 if self.measure == "error" else max(-np.log(self.strength), 1.0)
        alpha = self._alpha(lazy.move, held)
        details = {"alpha": alpha, "theory": max(float(np.log(alpha)) + widths.OFFSET[self.measure], 0.0) / self.strength}
        return (self._by_run if cheap_run else self._by_theory)(lazy.level, late, alpha, details)

    def _alpha(self, move: float, held: float) -> float:
        """The scale of the initialization, 1 where fitting (labels: with a margin of `held`) moves a weight by its own size."""
        return float((held * move) ** (-1 / self.found.degree)) if np.isfinite(move) else 1.0

    def _by_theory(self, first: Level, late: Level, alpha: float, details: dict) -> Forecast:
        if first.test_error is None or late.test_error is None:
            raise BadInput(
                needed="a forecast without a cheap run needs early and late solutions that can be computed",
                given=f"early: {first.says}; late: {late.says}",
                cure="Allow the cheap run.",
            )
        if alpha < 1:
            return self._no(f"no transition: {SMALL}", first, late, details)
        if not apart(first.test_error, late.test_error, self.measure, least=self.least):
            return self._no(f"no transition: {EQUAL}", first, late, details)
        middle, half = details["theory"], widths.THEORY[self.measure] / self.strength
        times = [max(middle - half, 0.0), middle, middle + half]
        return self._yes(times, first, late, details, worse=late.test_error > first.test_error)

    def _by_run(self, first: Level, late: Level, alpha: float, details: dict) -> Forecast:
        small = min(alpha, widths.PILOT)
        shift = float(np.log(alpha / small))
        # The kernel is where a flow goes first, and a descent; optimizers that rescale their steps go elsewhere. A plain model
        # leaves it from the first moment on, so that there is nothing to be read off.
        by_kernel = (shift > 0 or self.plain) and first.kind == "solved" and self.clock.name not in ADAPTIVE
        found = self._follow(small / alpha, first.test_error if by_kernel else None, small)
        details |= {"cheap_run_alpha": small, "fit": found.fit, "width": found.width}
        if first.kind != "solved" or self.clock.name in ADAPTIVE or alpha < 1:
            first = Level(found.early, "measured", "the cheap run, once it fits")
        late = late if late.test_error is not None else Level(found.late, "measured", "the end of the cheap run")
        if not found.switched or found.lost:
            return self._no(f"no transition: {_why_not(found, alpha)}", first, late, details)
        paced = widths.Paced(self.clock.name, self.measure, self.found)
        spread = paced.interval(found.time * self.strength, found.width * self.strength, shift)
        times = [one / self.strength for one in spread]
        return self._yes(times, first, late, details, worse=found.late > found.early)

    def _follow(self, factor: float, level: float | None, alpha: float) -> Seen:
        """The cheap run from this share of the initialization, in flow time; an optimizer without a clock runs itself."""
        small = rescaled(self.init, factor) if factor < 1 else self.init
        when = pilot.moments((max(float(np.log(alpha)), 0.0) + pilot.AFTER) / self.strength)
        per = self.clock.learning_rate if self.clock.name in ADAPTIVE else 1.0
        if self.clock.name in ADAPTIVE:
            pilot.require_few(self.clock.name, when[-1] / per)
            counts = pilot.counts(when[-1] / per)
            dynamics, when = pilot.adaptive(self.clock.name, self.clock.learning_rate), counts
        else:
            dynamics = pilot.flow(self.objective, small)
        train, test, finite = pilot.run(dynamics, self.objective, small, when, self.test)
        if not finite:
            raise BadInput(
                needed="a forecast needs a cheap run that stays finite and ends within its steps",
                given=f"a {type(self.init).__name__} whose run does not",
                cure="Initialize smaller, lower the learning rate, or leave the cheap run out (cheap_run=False, --no-cheap-run).",
            )
        return seen(per * when, train, test, self.measure, least=self.least, early=level)

    def _no(self, reason: str, first: Level, late: Level, details: Mapping | None = None) -> Forecast:
        return self._forecast(False, reason, first, late, None, details)

    def _yes(self, times, first: Level, late: Level, details, *, worse: bool) -> Forecast:
        """A transition at these flow times (low, middle, high), in the optimizer's own count."""
        per = self.clock.learning_rate if self.clock.per_step is None else self.clock.per_step
        low, middle, high = (float(one) / per for one in times)
        word = "misgroks: the late test error is larger" if worse else "groks: the late test error is smaller"
        reason = f"{word} than the early one{widths.caution(self.clock.name, self.found)}"
        return self._forecast(True, reason, first, late, Interval(low, middle, high, self.clock.unit), details)

    def _forecast(self, will: bool, reason: str, first: Level, late: Level, when, details) -> Forecast:
        found = {"degree": self.found.degree, "departure": self.found.departure, "output": self.found.output}
        cost = time.perf_counter() - self.begins
        return Forecast(will, reason, self.measure, first, late, when, cost, found | dict(details or {}))


def _why_not(found: Seen, alpha: float) -> str:
    """Why a run did not switch."""
    if not np.isfinite(found.fit):
        return "the model does not fit the training data"
    if found.lost:
        return "the weight decay is so large that the training data are not fitted in the end"
    return SMALL if alpha < 1 else EQUAL


@eqx.filter_jit
def _steepness(objective: Objective, learning_rate: Any, init: Any) -> Any:
    return edge(objective, learning_rate)(init)


def _require_stable(objective: Objective, init: Any, clock: Pace) -> None:
    """Refuse a descent that is unstable at initialization."""
    if clock.name not in EDGES:
        return
    steep, limit = float(_steepness(objective, clock.learning_rate, init)), EDGES[clock.name]
    if not steep < limit:
        raise BadInput(
            needed=f"{clock.name} is forecast where its learning rate times the sharpness at initialization is below {limit:g}",
            given=f"{steep:.3g}",
            cure=f"Lower the learning rate to {clock.learning_rate / steep:.1g} or so, or initialize smaller.",
        )
