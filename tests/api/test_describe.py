from lazyrich.api.report import describe
from lazyrich.lab import Store

CLAIM = "woodworth2020/lemma_6"


def test_the_story_of_a_run(stored):
    result, store = stored
    told = describe(result.run[-4:], Store(store))
    assert told["run"] == result.run and told["holds"] == result.as_json()["holds"]
    assert told["arrays"]["excess"] == {"axes": {"eps": 2, "d": 2, "over": 2}, "dtype": "float64"}
    assert told["arrays"]["applies"]["dtype"] == "bool" and "drawing" not in told
    assert told["path"] == str(Store(store).path(result.run))
    assert told["in_python"] == f"lz.check(\"{CLAIM}\", size='smoke', seed=3, eps=(0.1, 0.3))"
