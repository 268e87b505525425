"""Forecast: will a model switch from its kernel's answer to that of its penalty, when, and to what error."""

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
from .forecasting import answers, hypotheses, pilot, slow, widths
from .forecasting.pace import ADAPTIVE, Pace, pace
from .forecasting.record import Answer, Forecast, Interval
from .forecasting.switch import APART, SETTLED, Seen, apart, seen

# A descent whose rate times the sharpness of the start is above this is unstable: 2, and 2(1 + m) with momentum m.
EDGES = {"descent": 2.0, "momentum": 2 * (1 + MOMENTUM)}
# What is said where there is no penalty, of squares and of labels.
FITTED_AND_STILL = "no transition: there is no penalty, so nothing moves the model once it fits"
NEVER_STILL = (
    "no transition at a known time: there is no penalty, so the loss never stops, and the direction of the weights goes on "
    "moving with log t, to a largest margin"
)


def forecast(
    goal: Objective,
    start: Any,
    *,
    test: Split | Entries,
    optimizer: Any = None,
    rate: float | None = None,
    cheap_run: bool = True,
) -> Forecast:
    r"""What training this start on this objective will do to the test, before it is trained.

    Early is the answer of the tangent kernel at the start, late the least of the penalty where that can be solved for. With
    weight decay on a model of degree $D\ge 2$ the time comes from one `cheap_run` of the same model from a start of size
    $\alpha = 4$, shifted by $\log(\alpha/4)/\lambda$; without it from $(\log\alpha + C)/\lambda$ alone, with a wider interval.
    With an l1 or nuclear penalty on plain weights it is the slow flow's, over the strength. `optimizer` is a flow (the
    default), a descent, or one of descent, momentum, adam, adamw with its `rate`: then times are step counts.
    Assumes: a homogeneous model; one that is nearly so gets a wider interval. Source: lyu2024, theorems 3.4 and 3.5.
    """
    begins = time.perf_counter()
    hypotheses.require_test(goal, start, test)
    clock, found = pace(optimizer, rate), hypotheses.measured(goal, start)
    _require_stable(goal, start, clock)
    kinds = {type(penalty) for penalty, strength in goal.penalties if float(strength) > 0}
    asked = _Asked(goal, start, test, clock, found, begins)
    if not kinds:
        return asked.without_penalty()
    if kinds <= {L2}:
        return (asked.degree_one if asked.plain else asked.two_phases)(cheap_run)
    if len(kinds) == 1 and kinds <= {L1, Nuclear} and isinstance(goal.loss, Squared):
        return asked.slow_phase()
    names = " and ".join(sorted(kind.__name__ for kind in kinds))
    raise BadInput(
        needed="a forecast speaks of L2 alone, or of L1 or Nuclear alone with the squared loss",
        given=f"{names} with {type(goal.loss).__name__}",
        cure="Leave one penalty out.",
    )


class _Asked:
    """One question: the training, what was measured of it, and when it was asked."""

    def __init__(self, goal, start, test, clock: Pace, found: hypotheses.Measured, begins: float):
        self.goal, self.start, self.test, self.clock, self.found, self.begins = goal, start, test, clock, found, begins
        self.measure = "error" if isinstance(goal.loss, Squared) else "accuracy"
        # Two standard errors of a share of the test, or five points.
        count = int(test.y.shape[0])
        self.least = widths.DOUBT * (max(APART, 1.0 / count**0.5) if self.measure == "accuracy" else APART)
        self.strength = float(sum(float(size) for _, size in goal.penalties))
        self.plain = found.degree < 2 - hypotheses.NONE

    def without_penalty(self) -> Forecast:
        """Squares are fitted and nothing pulls after that; other losses never stop, and no time is known for where they go."""
        lazy = answers.early(self.goal, self.start, self.test)
        first, told = lazy.answer, lazy.answer if self.plain else answers.late(self.goal, self.start, self.test)
        rich, reason = not self.plain and self._alpha(lazy.move, 1.0) < 1, FITTED_AND_STILL
        if self.measure == "accuracy":
            reason = NEVER_STILL
            first = Answer(None, "unknown", "a start so small follows no kernel") if rich else first
        elif rich:
            reason, first = f"{FITTED_AND_STILL}; the start is so small that it is rich from the start", told
        return self._no(reason, first, told)

    def degree_one(self, cheap_run: bool) -> Forecast:
        """From zero the kernel is all there is; from elsewhere decay removes the part of the start that no sample sees."""
        told = answers.early(self.goal, self.start, self.test).answer
        late = answers.late(self.goal, self.start, self.test)
        if hypotheses.silent(self.goal, self.start, self.test) and self.clock.name not in ADAPTIVE:
            late = late if late.miss is not None else Answer(told.miss, told.kind, f"{told.says}, for a small decay")
            return self._no("no transition: a model of degree 1 that starts at zero is its own kernel", told, late)
        if not cheap_run:
            raise BadInput(
                needed="without a cheap run a model of degree 1 is forecast from a start of zero",
                given=f"outputs of {self.found.output:.2g} of the answers, or {self.clock.name}, which leaves the kernel",
                cure="Allow the cheap run, or start at zero.",
            )
        # The margin of the kernel forgets the start, which labels do not: their early level is read off the run.
        unread = Answer(None, "unknown", "a start that is not zero")
        return self._by_run(unread if self.measure == "accuracy" else told, late, 1.0, {})

    def slow_phase(self) -> Forecast:
        """Fitted at once, then along the fits to the least norm."""
        if self.clock.per_step is None:
            raise BadInput(
                needed="a weak penalty is forecast for optimizers that keep its strength",
                given=f"{self.clock.name}, which divides its slope by its own size",
                cure="Use adamw, which keeps it apart, or a descent.",
            )
        path = slow.path_of(self.goal, self.start)
        times, test = slow.levels(self.goal, path, self.test)
        told = answers.late(self.goal, self.start, self.test)
        first = Answer(float(test[0]), "solved", "the fit nearest to the start")
        late = told if told.miss is not None else Answer(float(test[-1]), "solved", "the end of the slow flow")
        middle, width = (one / self.strength for one in slow.slow_switch(times, test))
        fit = slow.fit_time(self.goal, self.start)
        details: dict[str, Any] = {"width": width, "fit": fit, "slow_time": float(path.times[-1])}
        assert first.miss is not None and late.miss is not None
        if not apart(first.miss, late.miss, self.measure, least=self.least):
            return self._no("no transition: early and late miss the same share of the test", first, late, details)
        if middle < SETTLED * fit:
            return self._no(
                "no transition: the penalty is so strong that it acts while the data are fitted", first, late, details
            )
        half = widths.SLOW + (widths.PACED[self.clock.name] if self.clock.name in ADAPTIVE else 0.0)
        times = [share * middle for share in (1 - half, 1.0, 1 + half)]
        return self._yes(times, first, late, details, worse=late.miss > first.miss)

    def two_phases(self, cheap_run: bool) -> Forecast:
        """Kernel first, the answer of decay from log(alpha)/decay on."""
        lazy = answers.early(self.goal, self.start, self.test)
        told = answers.late(self.goal, self.start, self.test)
        held = 1.0 if self.measure == "error" else max(-np.log(self.strength), 1.0)
        alpha = self._alpha(lazy.move, held)
        details = {
            "alpha": alpha,
            "theory": max(float(np.log(alpha)) + widths.OFFSET[self.measure], 0.0) / self.strength,
        }
        return (self._by_run if cheap_run else self._by_theory)(lazy.answer, told, alpha, details)

    def _alpha(self, move: float, held: float) -> float:
        """The scale of the start, 1 where fitting (labels: with a margin of `held`) moves a weight by its own size."""
        return float((held * move) ** (-1 / self.found.degree)) if np.isfinite(move) else 1.0

    def _by_theory(self, first: Answer, late: Answer, alpha: float, details: dict) -> Forecast:
        if first.miss is None or late.miss is None:
            raise BadInput(
                needed="a forecast without a cheap run needs an early and a late answer that can be solved for",
                given=f"early: {first.says}; late: {late.says}",
                cure="Allow the cheap run.",
            )
        if alpha < 1:
            return self._no(
                "no transition: the start is so small that the model is rich from the start", first, late, details
            )
        if not apart(first.miss, late.miss, self.measure, least=self.least):
            return self._no("no transition: early and late miss the same share of the test", first, late, details)
        middle, half = details["theory"], widths.THEORY[self.measure] / self.strength
        return self._yes(
            [max(middle - half, 0.0), middle, middle + half], first, late, details, worse=late.miss > first.miss
        )

    def _by_run(self, first: Answer, late: Answer, alpha: float, details: dict) -> Forecast:
        small = min(alpha, widths.PILOT)
        shift = float(np.log(alpha / small))
        # The kernel is where a flow goes first, and a descent; optimizers that rescale their steps go elsewhere. A plain model
        # leaves it from the first moment on, so that there is nothing to be read off.
        told_level = (shift > 0 or self.plain) and first.kind == "solved" and self.clock.name not in ADAPTIVE
        told = self._follow(small / alpha, first.miss if told_level else None, small)
        details |= {"cheap_run_alpha": small, "fit": told.fit, "width": told.width}
        if first.kind != "solved" or self.clock.name in ADAPTIVE or alpha < 1:
            first = Answer(told.early, "measured", "the cheap run, once it fits")
        late = late if late.miss is not None else Answer(told.late, "measured", "the end of the cheap run")
        if not told.switched or told.lost:
            return self._no(f"no transition: {_why_not(told, alpha)}", first, late, details)
        paced = widths.Paced(self.clock.name, self.measure, self.found)
        spread = paced.interval(told.time * self.strength, told.width * self.strength, shift)
        times = [one / self.strength for one in spread]
        return self._yes(times, first, late, details, worse=told.late > told.early)

    def _follow(self, factor: float, level: float | None, alpha: float) -> Seen:
        """The cheap run from this share of the start, in flow time; an optimizer without a clock runs itself."""
        small = rescaled(self.start, factor) if factor < 1 else self.start
        when = pilot.moments((max(float(np.log(alpha)), 0.0) + pilot.AFTER) / self.strength)
        per = self.clock.rate if self.clock.name in ADAPTIVE else 1.0
        if self.clock.name in ADAPTIVE:
            pilot.require_few(self.clock.name, when[-1] / per)
            counts = pilot.counts(when[-1] / per)
            dynamics, when = pilot.adaptive(self.clock.name, self.clock.rate), counts
        else:
            dynamics = pilot.flow(self.goal, small)
        train, test, finite = pilot.run(dynamics, self.goal, small, when, self.test)
        if not finite:
            raise BadInput(
                needed="a forecast needs a cheap run whose numbers stay finite, within its steps",
                given=f"a {type(self.start).__name__} of which neither can be said",
                cure="Start smaller, lower the rate, or leave the cheap run out (cheap_run=False, --no-cheap-run).",
            )
        return seen(per * when, train, test, self.measure, least=self.least, early=level)

    def _no(self, reason: str, first: Answer, late: Answer, details: Mapping | None = None) -> Forecast:
        return self._told(False, reason, first, late, None, details)

    def _yes(self, times, first: Answer, late: Answer, details, *, worse: bool) -> Forecast:
        """A switch at these flow times (low, middle, high), in the optimizer's own count."""
        per = self.clock.rate if self.clock.per_step is None else self.clock.per_step
        low, middle, high = (float(one) / per for one in times)
        word = "misgroks: the late answer is worse" if worse else "groks: the late answer is better"
        reason = f"{word} than the early one{widths.caution(self.clock.name, self.found)}"
        return self._told(True, reason, first, late, Interval(low, middle, high, self.clock.unit), details)

    def _told(self, will: bool, reason: str, first: Answer, late: Answer, when, details) -> Forecast:
        found = {"degree": self.found.degree, "departure": self.found.departure, "output": self.found.output}
        cost = time.perf_counter() - self.begins
        return Forecast(will, reason, self.measure, first, late, when, cost, found | dict(details or {}))


def _why_not(told: Seen, alpha: float) -> str:
    """Why a run that was followed did not switch."""
    if not np.isfinite(told.fit):
        return "the model does not come to fit the data"
    if told.lost:
        return "decay is so large that training itself is given up"
    if alpha < 1:
        return "the start is so small that the model is rich from the start"
    return "early and late miss the same share of the test"


@eqx.filter_jit
def _steepness(goal: Objective, rate: Any, start: Any) -> Any:
    return edge(goal, rate)(start)


def _require_stable(goal: Objective, start: Any, clock: Pace) -> None:
    """Refuse a descent that leaves its flow at once."""
    if clock.name not in EDGES:
        return
    steep, limit = float(_steepness(goal, clock.rate, start)), EDGES[clock.name]
    if not steep < limit:
        raise BadInput(
            needed=f"{clock.name} is forecast where its rate times the sharpness of the start is below {limit:g}",
            given=f"{steep:.3g}",
            cure=f"Lower the rate to {clock.rate / steep:.1g} or so, or start smaller.",
        )
