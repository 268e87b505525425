"""Every claim keeps the contract; the first claim of each simulation is run at a tiny size, all of them in test_every_claim."""

import json

import pytest

from lazyrich.api.check import save
from lazyrich.claims import check, every, find
from lazyrich.claims.base import at_least
from lazyrich.claims.calibrate import calibrate, stands
from lazyrich.claims.drawing import as_json
from lazyrich.errors import BadInput

CLAIMS = list(every())
IDS = [claim.id for claim in CLAIMS]


@pytest.mark.parametrize("claim", CLAIMS, ids=IDS)
def test_description_is_complete(claim):
    answer = json.loads(json.dumps(claim.described(), allow_nan=False))
    assert answer["id"].startswith(answer["paper"] + "/") and answer["says"] and answer["source"].startswith(answer["paper"])
    for size in ("quick", "paper"):
        assert claim.kind == "drawing" or answer["sizes"][size]["seconds"] > 0
        for name, param in answer["sizes"][size]["params"].items():
            assert set(param) == {"value", "axis", "least", "low", "high", "unit", "aliases"}, name
    assert claim.resolve("quick").values.get("trials", 4) >= 4


# One claim for each simulation, the first.
OF_EACH = list({(claim.simulation.simulate, claim.simulation.make_problem): claim for claim in reversed(CLAIMS)}.values())


@pytest.mark.parametrize("claim", OF_EACH, ids=[claim.id for claim in OF_EACH])
def test_smoke(claim, tmp_path):
    """Tiny parameters: every reading is computed and drawn; the verdict is not asserted."""
    result = check(claim, size="smoke", seed=5)
    if result.verdict == "skipped":
        assert claim.kind == "drawing" or claim.missing("smoke"), result.reason
        return
    answer = json.loads(json.dumps(result.as_json(), allow_nan=False))
    words = {word for reading in answer["holds"] for word in (reading["key"], reading["name"])}
    for control, found in zip(claim.controls, answer["controls"], strict=True):
        assert words >= set(control.breaks)
        assert [r["key"] for r in answer["holds"]] == [r["key"] for r in found["holds"]]
    assert all(reading["why"] for kind in ("sound", "holds") for reading in answer[kind])
    json.dumps(as_json(result.drawing), allow_nan=False)  # what a store keeps of it
    drawn = save(result, tmp_path)
    assert sorted(path.rsplit(".", 1)[1] for path in drawn.files) == ["csv", "png", "svg"]


@pytest.mark.slow
@pytest.mark.parametrize("identity", ["lyu2024/figure_1a", "woodworth2020/theorem_1"])
def test_verdict_at_another_seed(identity):
    assert check(find(identity), seed=4242, draw=False).verdict == "holds"


@pytest.mark.slow
def test_grokking_times_follow_the_weight_decay():
    """Twice the weight decay, half the time: 90% is reached at a time of order 1/decay, whatever it is."""
    times = [
        float(
            check(
                find("lyu2024/figure_1a"), seed=8, changes={"weight_decay": weight_decay, "d": 2000, "trials": 1}, draw=False
            ).data.t90[0]
        )
        for weight_decay in (1e-3, 2e-3)
    ]
    assert 1.7 < times[0] / times[1] < 2.4


def test_lemma_6_calibrates_clear():
    rows = calibrate(find("woodworth2020/lemma_6"), seeds=2)
    breaking = [row for row in rows if row["must_break"]]
    assert [row["key"] for row in breaking] == ["excess"]
    assert all(row["clear"] for row in rows)


@pytest.mark.parametrize(("least", "clear"), [(4.0, True), (2.1, False)])
def test_a_ratio_may_stand_clear_in_its_logarithm(least, clear):
    readings = [at_least("a ratio", value, 2.0, why="") for value in (least, 7.0, 9.0, 20.0)]  # a deviation of 6
    assert stands(readings, sign=1) is clear
    assert not stands(readings, sign=-1)


def test_unknown_ids_get_suggestions():
    with pytest.raises(BadInput, match="lyu2024/figure_1a"):
        find("lyu2024/figure_1x")
    assert find("lyu2024/figure_1").id == "lyu2024/figure_1a"
    assert find("bridges/grokking_linear_net").id == "min2021/decay_bridge"
    with pytest.raises(BadInput, match="the papers are"):
        list(every("nobody1999"))
