"""What the commands print with --json is what the published schemas say."""

import json
from pathlib import Path

import jsonschema
import pytest

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


def validate(text: str, name: str) -> dict:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    told = json.loads(text)
    jsonschema.validate(told, schema, cls=jsonschema.Draft202012Validator)
    return told


def test_list(here):
    assert len(validate(here("list", "--json").stdout, "claims")["claims"]) >= 8


def test_one_check_and_the_runs_it_leaves(here):
    told = validate(here("check", "woodworth2020/lemma_6", "--json").stdout, "results")
    rows = validate(here("runs", "--json").stdout, "runs")["runs"]
    assert [row["run"] for row in rows] == [result["run"] for result in told["results"]]


def test_a_claim_and_a_drawing(here):
    """One that is judged and one with nothing to judge; `.ci/run` validates all claims at quick size."""
    done = here("check", "woodworth2020/lemma_6", "woodworth2020/figure_4", "--json")
    told = validate(done.stdout, "results")
    assert [result["verdict"] for result in told["results"]] == ["holds", "skipped"] and done.returncode == 0
    validate(here("list", "--json").stdout, "claims")


def test_a_schema_refuses_what_is_not_so(here):
    told = json.loads(here("check", "woodworth2020/lemma_6", "--json").stdout)
    told["results"][0]["verdict"] = "perhaps"
    with pytest.raises(jsonschema.ValidationError):
        validate(json.dumps(told), "results")
