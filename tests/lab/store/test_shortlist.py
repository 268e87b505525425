import sys
from pathlib import Path

import pytest

from lazyrich.lab.store.catalogue import Catalogue
from lazyrich.lab.store.shortlist import comparisons
from lazyrich.lab.store.where import question

sys.path.insert(0, str(Path(__file__).parent))
import asked


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory):
    kept = Catalogue(tmp_path_factory.mktemp("catalogue") / "catalogue.sqlite")
    kept.add(asked.facts())
    return kept


@pytest.mark.parametrize("text", asked.QUESTIONS)
def test_no_row_that_answers_yes_is_missing(catalogue, text):
    ask = question(text)

    def answering(rows):
        return [row["run"] for row in rows if ask({**row["params"], **row})]

    short, whole = catalogue.rows(readings=True, where=text), catalogue.rows(readings=True)
    assert answering(short) == answering(whole)
    assert len(short) <= len(whole) == len(asked.ROWS)


def test_what_surely_answers_no_is_left_out(catalogue):
    assert [row["run"] for row in catalogue.rows(where="seed == 3 and verdict == 'never'")] == ["r03"]
    assert [row["run"] for row in catalogue.rows(where="sound['loss'] > 1")] == ["r02"]
    assert len(catalogue.rows(where="seed == 3 or seed == 4")) == len(asked.ROWS)  # only what is joined by and


def test_names_that_some_row_has(catalogue):
    assert catalogue.mentions("alpha") and catalogue.mentions("commit") and catalogue.mentions("holds")
    assert not catalogue.mentions("beta")


def test_what_can_be_compared():
    found = list(comparisons("a > 1 and 'x' == b and holds['c'] <= -2 and d != 3 and e in (1, 2) and f < g and h == True"))
    assert [(one.name, one.key, one.kind.__name__, one.constant) for one in found] == [
        ("a", None, "Gt", 1),
        ("b", None, "Eq", "x"),
        ("holds", "c", "LtE", -2),
    ]
    assert list(comparisons("a > 1 or b > 2")) == list(comparisons("not a > 1")) == list(comparisons("1 < a < 2")) == []
