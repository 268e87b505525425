"""Carry records over from an older source:

    python benchmarks/carry_records.py OLD --before B0.json B1.json --after A0.json A1.json --stores BEFORE AFTER [--write]

OLD is a checkout of the commit that the records are fresh at; the JSON files are what `lazyrich check --all --json` says of it
and of the source here, at quick size and two seeds; the stores hold results of both. A record is carried over where

1. every definition that the claim's simulation and predictions reach is one of the old source's but for names (renames.json;
   definitions that differ by more are listed there, each with what differs), and
2. verdict and all readings of the claim and its controls agree to 1e-12 at both seeds: its judge, constants and controls may
   stand in other words, and give the same numbers.

Every other record is stale from now on. Names of readings, reasons and captions are those of today where the size is not in
them.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
from collections.abc import Mapping

from renames import Renames, named, unmatched

from lazyrich.claims import find
from lazyrich.claims.base import Reading, plain
from lazyrich.claims.judge import Controlled, conclude
from lazyrich.claims.record import evidence_of
from lazyrich.errors import BadInput
from lazyrich.lab import Store
from lazyrich.lab.formula import is_formula
from lazyrich.lab.provenance import dependencies, functions
from lazyrich.lab.provenance.dependencies import FRAME, Sources

RECORDS = pathlib.Path(__file__).parents[1] / "docs" / "results"
RENAMES = pathlib.Path(__file__).with_name("renames.json")
# Run by the Python here on the source there: what simulates and predicts, of every claim, as plain data.
DESCRIBE = """
import json, runpy, sys
from lazyrich.claims import every
describe = runpy.run_path(sys.argv[1])["describe"]
print(json.dumps({claim.id: describe([claim.simulation.pose, claim.simulation.run, claim.refer]) for claim in every()}))
"""
AGREE = 1e-12
NUMBERS = ("value", "target", "tolerance")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("--before", type=results_of, nargs="+", required=True)
    parser.add_argument("--after", type=results_of, nargs="+", required=True)
    parser.add_argument("--stores", type=captions_of, nargs=2, required=True)
    parser.add_argument("--write", action="store_true", help="write the records, do not only say what agrees")
    asked = parser.parse_args()
    renames = Renames(**json.loads(RENAMES.read_text(encoding="utf-8")))
    there = Sources(asked.old / "src" / "lazyrich", FRAME, renames.prepare)
    described = claims_of(asked.old)
    agree, stale, reworked = 0, {}, set()
    for path in sorted(RECORDS.glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        identity = record["id"]
        why, used = other_code(identity, described, there, renames)
        reworked |= used
        for before, after in zip(asked.before, asked.after, strict=True):
            why = why or other_readings(before.get(identity), after.get(identity))
        if why:
            stale[identity] = why
        agree += not why
        if asked.write:
            made = in_new_form(record, asked.before[0], asked.after[0], renames, fresh=not why)
            then, now = (captions.get(identity) for captions in asked.stores)
            made["caption"] = now if record["caption"] == then else record["caption"]
            path.write_text(f"{json.dumps(made, indent=1, ensure_ascii=False)}\n", encoding="utf-8")
    for identity, why in stale.items():
        print(f"{identity}: {why[:300]}")
    print(
        f"{agree} records agree, {len(stale)} are stale; reworked but used by none: {sorted(renames.reworked.keys() - reworked)}"
    )


def results_of(file: str) -> dict[str, dict]:
    """Results by id, from what `check --json` printed."""
    found = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    return {one["id"]: one for one in found["results"]}


def captions_of(place: str) -> dict[str, str | None]:
    """The captions of stored results by id."""
    store = Store(place)
    drawn = {row["id"]: store.load(row["run"]).attrs["drawing"] for row in store.find()}
    return {identity: drawing["caption"] or None if drawing else None for identity, drawing in drawn.items()}


def claims_of(old: pathlib.Path) -> dict:
    """The claims of the old source as `describe` says them."""
    words = [sys.executable, "-c", DESCRIBE, functions.__file__]
    done = subprocess.run(words, env={**os.environ, "PYTHONPATH": str(old / "src")}, capture_output=True, check=True)
    return json.loads(done.stdout)


def other_code(identity: str, described: Mapping, there: Sources, renames: Renames) -> tuple[str, set[str]]:
    """What differs between the simulation and predictions of a claim then and now, and the reworked definitions it reaches."""
    try:
        claim = find(identity)
    except BadInput as fault:
        return str(fault), set()
    here = dependencies.here()
    now = here.reached(functions.describe([claim.simulation.make_problem, claim.simulation.simulate, claim.predict]))
    missing = unmatched(renames, there, there.reached(described[identity]), here, now)
    why = "; ".join(f"{named(here, place)}: {difference}" for place, difference in missing.items())
    return why, {named(here, place) for place in now} & renames.reworked.keys()


def other_readings(before: dict | None, after: dict | None) -> str:
    """What differs between two results at quick size, each claim with its controls."""
    if before is None or after is None:
        return "not judged in both sources"
    if before["verdict"] != after["verdict"]:
        return f"{before['verdict']} then, {after['verdict']} now"
    old, new = all_readings(before), all_readings(after)
    if len(old) != len(new):
        return f"{len(old)} readings then, {len(new)} now"
    for one, other in zip(old, new, strict=True):
        if one["bound"] != other["bound"] or not all(same(one[name], other[name]) for name in NUMBERS):
            return f"{one['name']}: {[one[name] for name in NUMBERS]} then, {[other[name] for name in NUMBERS]} now"
    return ""


def same(one, other) -> bool:
    one, other = (Reading.number(value) for value in (one, other))
    if one == other or math.isnan(one) and math.isnan(other):
        return True
    return math.isfinite(one) and math.isfinite(other) and abs(one - other) <= AGREE * max(1, abs(one), abs(other))


def controls_of(result: dict) -> list[dict]:
    one = result.get("control")
    return result["controls"] if "controls" in result else [one] if one else []


def all_readings(result: dict) -> list[dict]:
    return [one for part in (result, *controls_of(result)) for kind in ("sound", "holds") for one in part[kind]]


def in_new_form(record: dict, before: dict, after: dict, renames: Renames, *, fresh: bool) -> dict:
    """A record with the words of today: keys, names and reasons of readings, controls as a list."""
    claim, then, now = find(record["id"]), before[record["id"]], after[record["id"]]
    if not other_readings(then, now):
        worded(all_readings(record), all_readings(then), all_readings(now))
    else:
        for reading in all_readings(record):
            reading.setdefault("key", Reading.from_json(reading).key)
    controls = controls_of(record) if claim.controls else []
    for control, known in zip(controls, claim.controls, strict=fresh):
        control["says"] = known.says if fresh else control["says"]
        control["broke"] = [reading["key"] for reading in control["holds"] if not reading["ok"]]
    found = {name: value for name, value in record.items() if name not in ("control", "controls")}
    if fresh:
        params = {name: plain(value) for name, value in claim.resolve("paper").shown().items()}
        for (name, value), was in zip(params.items(), record["params"].values(), strict=True):
            formula = is_formula(value) and is_formula(was) and not renames.differences([was], [value])
            if value != was and not formula:
                raise SystemExit(f"{record['id']}: {name} was {was}, is {value}")
        found |= {"params": params, "title": claim.title, "kind": claim.kind, "source": claim.digest}
    if fresh and claim.controls:
        made = [Controlled(control["says"], evidence_of(control)) for control in controls]
        found["reason"] = conclude(claim, evidence_of(record), made)[1]
    order = ["controls" if name == "control" else name for name in record]
    return {name: (found | {"controls": controls})[name] for name in order}


def worded(record: list[dict], then: list[dict], now: list[dict]) -> None:
    """Give readings their keys, and the names and reasons of today where those of then do not depend on the size."""
    if not len(record) == len(then) == len(now):
        raise SystemExit(f"{len(record)} readings in a record, {len(then)} and {len(now)} at quick size")
    for one, old, new in zip(record, then, now, strict=True):
        one["key"] = new["key"]
        for word in ("name", "why"):
            one[word] = new[word] if one[word] == old[word] else one[word]


if __name__ == "__main__":
    main()
