import math

import jax.numpy as jnp
import jax.random as jr
import pytest

from lazyrich.claims import Claim, Control, Evidence, check
from lazyrich.claims.base import at_least, at_most, near
from lazyrich.claims.drawing import Drawing
from lazyrich.lab import Param, Runner, Simulation


def simulate(key, *, alpha, noise):
    return {"found": alpha**2 + noise * jr.normal(key), "outcome": jnp.where(alpha < 0, 2, 0)}


SIMULATION = Simulation(
    simulate, [Param("alpha", (1.0, 2.0), low=-9, high=9), Param("noise", 0.0)], returns={"found": "", "outcome": ""}
)


def judge(data, alpha, power):
    gap = abs(data.found - alpha**power).max()
    return Evidence(sound=[at_most("finite", gap * 0, 0, why="test")], holds=[at_most("gap", gap, 1e-9, why="test")])


def make(**changes):
    parts = {
        "id": "woodworth2020/square",
        "kind": "derived",
        "title": "square",
        "says": "found is alpha squared",
        "source": "woodworth2020, none",
        "simulation": SIMULATION,
        "judge": judge,
        "constants": {"power": 2.0},
        "controls": [Control("a cube", changes={"power": 3.0}, breaks=("gap",))],
    }
    return Claim(**{**parts, **changes})


def test_a_true_claim_holds_and_its_control_fails():
    result = check(make())
    assert (result.verdict, result.controls[0].verdict) == ("holds", "fails")
    assert result.as_json()["controls"][0]["holds"][0]["ok"] is False


def test_a_false_claim_fails():
    claim = make(constants={"power": 1.0})
    assert check(claim).verdict == "fails"


@pytest.mark.parametrize(
    ("control", "reason"),
    [
        (Control("nothing changed", changes={"power": 2.0}, breaks=("gap",)), "came out as holds"),
        (Control("another reading", changes={"power": 3.0}, breaks=("something else",)), "did not break something else"),
        (Control("broken runs", changes={"alpha": (-1.0, -2.0)}, breaks=("gap",)), "came out as inconclusive"),
    ],
)
def test_a_control_that_cannot_tell_makes_the_verdict_inconclusive(control, reason):
    result = check(make(controls=[control]))
    assert result.verdict == "inconclusive" and reason in result.reason


def test_an_unsound_instrument_refutes_nothing():
    result = check(make(constants={"power": 1.0}), changes={"alpha": (-1.0,)})
    assert result.verdict == "inconclusive" and "did not end" in result.reason


def test_not_a_number_is_never_a_refutation():
    result = check(make(), changes={"alpha": (1.0,)})
    assert result.verdict == "inconclusive"  # at alpha = 1 the cube equals the square: the control holds
    broken = Evidence(holds=[at_most("x", math.nan, 1, why="test")])
    assert broken.verdict == "inconclusive" and broken.holds[0].as_json()["value"] == "nan"
    assert Evidence().verdict == "inconclusive"


def test_never_is_a_value():
    assert at_least("time", math.inf, 1, why="test").ok and not at_most("time", math.inf, 1, why="test").ok
    assert at_most("time", math.inf, 1, why="test").as_json()["value"] == "never"
    assert near("ratio", 1.05, 1, 0.1, why="test").ok and not near("ratio", 1.2, 1, 0.1, why="test").ok


def test_a_control_on_constants_runs_nothing_again():
    done = []
    check(make(), runner=Runner(lambda *progress: done.append(progress)))
    assert len(done) == 8
    check(
        make(controls=[Control("elsewhere", changes={"noise": 1.0}, breaks=("gap",))]), runner=Runner(lambda *t: done.append(t))
    )
    assert len(done) == 8 + 16


def test_mistakes_are_named_when_the_claim_is_written():
    with pytest.raises(TypeError, match="nobody provides"):
        make(judge=lambda data, unknown: Evidence())
    with pytest.raises(TypeError, match="not its parameters"):
        make(controls=[Control("?", changes={"unknown": 1}, breaks=("gap",))])
    with pytest.raises(TypeError, match="must change something"):
        make(controls=[Control("?", changes={}, breaks=("gap",))])
    with pytest.raises(TypeError, match="options of every check"):
        make(simulation=Simulation(lambda *, size: {"end": size}, [Param("size", 1.0)], {"end": ""}, random=False))


def test_a_drawing_of_a_model_is_skipped_and_drawn():
    def draw():
        return Drawing([])

    claim = Claim("woodworth2020/net", "drawing", "a net", "how it is wired", source="woodworth2020, figure 4", draw=draw)
    result = check(claim)
    answer = result.as_json()
    assert (result.verdict, answer["controls"], answer["holds"]) == ("skipped", [], [])
    assert result.drawing == Drawing([]) and "nothing to check" in result.reason
    with pytest.raises(TypeError, match="needs a control"):
        make(controls=[])


def test_a_claim_without_its_data_is_skipped_with_the_reason(monkeypatch, tmp_path):
    monkeypatch.delenv("LAZYRICH_DATA", raising=False)
    claim = make(needs=("mnist",), needs_at=("paper",))
    assert check(claim, size="quick").verdict == "holds"
    result = check(claim, size="paper")
    assert result.verdict == "skipped" and "no folder of data sets was given" in result.reason
    monkeypatch.setenv("LAZYRICH_DATA", str(tmp_path))
    assert f"in {tmp_path}" in check(claim, size="paper").reason
    (tmp_path / "mnist").mkdir()
    (tmp_path / "mnist" / "train-images-idx3-ubyte.gz").touch()
    assert check(claim, size="paper").verdict == "holds"


def test_runs_made_elsewhere_are_judged_without_the_data(monkeypatch, tmp_path):
    claim, runner = make(needs=("mnist",)), Runner()
    monkeypatch.setenv("LAZYRICH_DATA", str(tmp_path))
    assert check(claim, runner=runner).verdict == "skipped"
    (tmp_path / "train-images-idx3-ubyte").touch()
    assert check(claim, runner=runner).verdict == "holds"
    (tmp_path / "train-images-idx3-ubyte").unlink()
    assert check(claim, runner=runner).verdict == "holds" and check(claim).verdict == "skipped"
