"""The slow flow is the limit of descents with a weak l1 penalty, off by a term linear in rate x strength."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.dynamics.limits import SlowFlow
from lazyrich.dynamics.trajectory import Outcome
from lazyrich.errors import BadInput
from lazyrich.losses import Exponential, Squared
from lazyrich.models import DiagonalNet, Linear
from lazyrich.objective import Objective
from lazyrich.predictors import MinL1
from lazyrich.problems import Split
from lazyrich.regularizers import L1, L2

RNG = np.random.default_rng(5)
X = RNG.standard_normal((6, 14)) / np.sqrt(14)
TRUTH = np.where(np.arange(14) < 2, RNG.standard_normal(14), 0.0)
START = 0.05 * RNG.standard_normal(14)
DATA = Split(jnp.asarray(X), jnp.asarray(X @ TRUTH))
LINEAR = Linear(jnp.asarray(START))


def objective(strength, **changes) -> Objective:
    return Objective(**({"data": DATA, "loss": Squared(), "reduction": "half_sum", "penalties": [(L1(), strength)]} | changes))


def proximal(learning_rate: float, strength: float, steps: int) -> np.ndarray:
    """Proximal descent on half the sum of squares plus strength times the l1 norm, after each step."""
    w, path = START.copy(), [START]
    for _ in range(steps):
        w = w - learning_rate * X.T @ (X @ w - X @ TRUTH)
        w = np.sign(w) * np.maximum(np.abs(w) - learning_rate * strength, 0)
        path.append(w)
    return np.array(path)


def subgradient(learning_rate: float, strength: float, steps: int) -> np.ndarray:
    w, path = START.copy(), [START]
    for _ in range(steps):
        w = w - learning_rate * (X.T @ (X @ w - X @ TRUTH) + strength * np.sign(w))
        path.append(w)
    return np.array(path)


@pytest.mark.parametrize("descent", [proximal, subgradient])
def test_descents_tend_to_it_linearly_in_rate_times_strength(descent):
    learning_rate, errors = 0.5, []
    horizon = 1.2 * SlowFlow().path(objective(1.0), LINEAR).extinction
    for strength in (4e-3, 2e-3, 1e-3, 5e-4):
        total = int(horizon / (learning_rate * strength))
        counts = np.append(0, np.linspace(0.1, 1, 10) * total).astype(int)
        path = SlowFlow().run(objective(strength), LINEAR, counts * learning_rate)
        found = descent(learning_rate, strength, total)[counts]
        errors.append(np.abs(found[1:] - np.asarray(path.models.w)[1:]).max(axis=1))
    # One power a halving at most times; just after an event the two differ by a transient that fades more slowly,
    # which moves the median by a tenth of a power.
    np.testing.assert_allclose(-np.diff(np.log2(np.median(errors, axis=1))), 1, atol=0.2)
    assert np.max(errors[-1]) < 5e-3


def test_it_rests_at_the_least_absolute_norm():
    path = SlowFlow().run(objective(1e-6), LINEAR, [0.0, 1e5, 1e9])
    expected = MinL1().solve(DATA)
    np.testing.assert_allclose(path.end.w, expected.effective, atol=1e-12)
    assert path.outcome.code == Outcome.END and path.outcome.steps > 0 and "event" in path.outcome.how
    assert path.certificates["gap"] < 1e-10 and path.certificates["feasibility"] < 1e-12
    # It begins at the interpolator nearest to the start.
    first = START + np.linalg.pinv(X) @ (X @ TRUTH - X @ START)
    np.testing.assert_allclose(path.at(0).w, first, atol=1e-14)


def test_strength_is_the_unit_of_time_and_the_factor_plays_no_part():
    weak = SlowFlow().run(objective(1e-6), LINEAR, [0.0, 2e5, 1e6])
    strong = SlowFlow().run(objective(1e-3, reduction="sum"), LINEAR, [0.0, 2e2, 1e3])
    np.testing.assert_allclose(weak.models.w, strong.models.w, atol=1e-14)
    assert weak.certificates["extinction"] == strong.certificates["extinction"]


def test_readings_and_a_stopping_rule():
    def norm(model):
        return jnp.abs(model.w).sum()

    times = jnp.linspace(0.0, 1.0, 21)
    whole = SlowFlow().run(objective(1.0), LINEAR, times, read={"norm": norm})
    norms = np.asarray(whole.reads["norm"])
    assert whole.models is None and (np.diff(norms) <= 1e-14).all()
    level = (norms[0] + norms[-1]) / 2
    path = SlowFlow().run(objective(1.0), LINEAR, times, read={"norm": norm}, stop=lambda m: norm(m) < level)
    at = int(np.argmax(norms < level))
    assert path.outcome.code == Outcome.STOPPED and path.outcome.reached == times[at] and 0 < at < 20
    np.testing.assert_allclose(path.reads["norm"], np.maximum(norms, norms[at]), atol=1e-14)
    assert norm(path.end) == path.reads["norm"][-1]


def test_too_few_events_are_an_outcome():
    path = SlowFlow(max_events=1).run(objective(1.0), LINEAR, [0.0, 100.0])
    assert path.outcome.code == Outcome.STEP_LIMIT and not path.outcome.ok and 0 < path.outcome.reached < 100
    assert np.isnan(path.end.w).all() and np.isinf(path.certificates["extinction"])


SIGNS = Split(DATA.x, jnp.sign(DATA.y))
REFUSED = {
    "model": (objective(1.0), DiagonalNet.at_scale(1.0, dim=14), "the model is DiagonalNet, not Linear"),
    "loss": (objective(1.0, data=SIGNS, loss=Exponential()), LINEAR, "the loss is Exponential, not Squared"),
    "penalty": (objective(1.0, penalties=[(L2(), 1.0)]), LINEAR, "the penalty is not the l1 norm alone"),
    "none": (objective(1.0, penalties=[]), LINEAR, "the penalty is not the l1 norm alone"),
    "two": (objective(1.0, penalties=[(L1(), 1.0), (L2(), 1.0)]), LINEAR, "the penalty is not the l1 norm alone"),
    "strength": (objective(0.0), LINEAR, "the strength of the penalty is 0"),
    "answers": (objective(1.0, data=Split(DATA.x, DATA.x[:, :2])), LINEAR, "one target each"),
}


@pytest.mark.parametrize(("objective", "init", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_what_it_is_no_limit_of_is_refused(objective, init, why):
    with pytest.raises(BadInput, match="SlowFlow needs a Linear model") as error:
        SlowFlow().run(objective, init, [0.0, 1.0])
    assert why in error.value.given


def test_it_says_that_it_cannot_be_compiled():
    with pytest.raises(BadInput, match="inside a compiled program"):
        jax.jit(lambda w: SlowFlow().run(objective(1.0), Linear(w), jnp.array([0.0, 1.0])))(jnp.asarray(START))
