"""The shell is offered ids, parameters, sizes and runs."""

import json

import pytest


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("lazyrich run lyu2024/figure_1", "lyu2024/figure_1a"),
        ("lazyrich check --paper wood", "woodworth2020"),
        ("lazyrich check x --size p", "paper"),
        ("lazyrich run lyu2024/figure_1a --set weight", "weight_decay="),
        ("lazyrich doc", "doctor"),
    ],
)
def test_offers(lazyrich, words, offered):
    env = {"_LAZYRICH_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    assert offered in complete(lazyrich, env)


def test_stored_runs_are_offered(lazyrich):
    run = json.loads(lazyrich("check", "woodworth2020/lemma_6", "--json").stdout)["results"][0]["run"]
    env = {"_LAZYRICH_COMPLETE": "complete_bash", "COMP_WORDS": "lazyrich show 20", "COMP_CWORD": "2"}
    assert run in complete(lazyrich, env)


def complete(lazyrich, env: dict) -> list[str]:
    return lazyrich(env=env).stdout.split()
