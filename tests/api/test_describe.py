from lazyrich.api.report import describe
from lazyrich.lab import Store

CLAIM = "woodworth2020/lemma_6"


def test_the_story_of_a_run(stored):
    result, store = stored
    answer = describe(result.run[-4:], Store(store))
    assert answer["run"] == result.run and answer["holds"] == result.as_json()["holds"]
    assert answer["arrays"]["excess"] == {"axes": {"eps": 2, "d": 2, "over": 2}, "dtype": "float64"}
    assert answer["arrays"]["applies"]["dtype"] == "bool" and "drawing" not in answer
    assert answer["path"] == str(Store(store).path(result.run))
    assert answer["in_python"] == f"lz.check(\"{CLAIM}\", size='smoke', seed=3, eps=(0.1, 0.3))"
