"""What the commands print with --json is what the published schemas say."""

import json
from pathlib import Path

import jsonschema
import pytest

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


def validate(text: str, name: str) -> dict:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    found = json.loads(text)
    jsonschema.validate(found, schema, cls=jsonschema.Draft202012Validator)
    return found


def test_list(here):
    assert len(validate(here("list", "--json").stdout, "claims")["claims"]) >= 8


def test_one_check_and_the_runs_it_leaves(here):
    found = validate(here("check", "woodworth2020/lemma_6", "--json").stdout, "results")
    rows = validate(here("runs", "--json").stdout, "runs")["runs"]
    assert [row["run"] for row in rows] == [result["run"] for result in found["results"]]


def test_a_claim_and_a_drawing(here):
    """One that is judged and one with nothing to judge; `.ci/run` validates all claims at quick size."""
    done = here("check", "woodworth2020/lemma_6", "woodworth2020/figure_4", "--json")
    found = validate(done.stdout, "results")
    assert [result["verdict"] for result in found["results"]] == ["holds", "skipped"] and done.returncode == 0
    validate(here("list", "--json").stdout, "claims")


def test_a_schema_refuses_what_is_not_so(here):
    found = json.loads(here("check", "woodworth2020/lemma_6", "--json").stdout)
    found["results"][0]["verdict"] = "perhaps"
    with pytest.raises(jsonschema.ValidationError):
        validate(json.dumps(found), "results")
