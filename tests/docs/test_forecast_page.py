"""The tables of the page are those of the file that was kept, and its numbers were forecast first."""

import importlib.util
import json
import pathlib

ROOT = pathlib.Path(__file__).parents[2]
KEPT = ROOT / "docs" / "forecast" / "held_out.json"


def summary():
    spec = importlib.util.spec_from_file_location("forecast_summary", ROOT / "benchmarks" / "forecast_summary.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_the_tables_are_made_of_the_file():
    found, page = summary(), (ROOT / "docs" / "forecast.md").read_text(encoding="utf-8")
    shown = page.split(found.BEGIN)[1].split(found.END)[0].strip()
    assert shown == "\n".join(found.lines(json.loads(KEPT.read_text()))).strip()


def test_counting():
    found = summary()

    def case(will, time, lost=False):
        switch = {"low": 9.0, "middle": 10.0, "high": 11.0} if will else None
        return {"predicted": {"will_switch": will, "switch": switch}, "seen": {"time": time, "lost": lost}}

    cases = [
        case(True, 10.5),
        case(True, 12.0),
        case(True, None),
        case(True, 10.0, lost=True),
        case(False, 5.0),
        case(False, None),
    ]
    counted = found.counted(cases)
    assert [counted[one] for one in ("runs", "hits", "false", "denied", "missed")] == [6, 2, 2, 2, 1]
    assert abs(counted["median"] - 0.125) < 1e-12 and counted["coverage"] == 0.5


def test_enough_runs_were_held_out():
    kept = json.loads(KEPT.read_text())
    done = [case for case in kept["cases"] if "predicted" in case and "seen" in case]
    assert kept["seed"] != 0 and len(done) >= 300 and len({case["family"] for case in done}) >= 9
