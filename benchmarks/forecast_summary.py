"""Forecasts beside the held-out runs, as the tables of docs/forecast.md.

python benchmarks/forecast_summary.py docs/forecast/held_out.json docs/forecast.md
"""

import json
import pathlib
import sys

import numpy as np

BEGIN, END = "<!-- held out -->", "<!-- end -->"


def switched(case: dict) -> bool:
    """Whether the run switched, and did not give up its training."""
    return case["seen"]["time"] is not None and not case["seen"]["lost"]


def counted(cases: list[dict]) -> dict:
    """Hits, correct denials, false alarms and missed transitions; relative errors and whether intervals held, of the hits."""
    yes = [case for case in cases if case["predicted"]["will_switch"]]
    no = [case for case in cases if not case["predicted"]["will_switch"]]
    hits = [case for case in yes if switched(case)]
    errors = np.array([abs(case["seen"]["time"] / case["predicted"]["switch"]["middle"] - 1) for case in hits])
    inside = [case["predicted"]["switch"]["low"] <= case["seen"]["time"] <= case["predicted"]["switch"]["high"] for case in hits]
    return {
        "runs": len(cases),
        "hits": len(hits),
        "false": len(yes) - len(hits),
        "denied": len(no),
        "missed": sum(map(switched, no)),
        "median": float(np.median(errors)) if hits else float("nan"),
        "tenth": float(np.quantile(errors, 0.9)) if hits else float("nan"),
        "coverage": float(np.mean(inside)) if hits else float("nan"),
    }


def row(name: str, cases: list[dict]) -> str:
    """One line of a table."""
    found = counted(cases)
    numbers = [f"{found[one]}" for one in ("runs", "hits", "false", "denied", "missed")]
    shares = [_percent(found[one]) for one in ("median", "tenth", "coverage")]
    return f"| {name} | " + " | ".join(numbers + shares) + " |"


def _percent(share: float) -> str:
    return "" if np.isnan(share) else f"{100 * share:.1f}%"


def lines(kept: dict) -> list[str]:
    """The tables in Markdown."""
    cases = [case for case in kept["cases"] if "predicted" in case and "seen" in case]
    words = (
        "predicted, switched",
        "predicted, did not",
        "not predicted",
        "not predicted, switched",
        "median error",
        "nine of ten below",
    )
    head = "| {} | runs | " + " | ".join(words) + " | interval held |"
    bar = "| --- " + "| ---: " * 8 + "|"
    rows = [head.format("optimizer"), bar]
    rows += [row(name, found) for name, found in _by(cases, "optimizer").items()]
    large = [
        case
        for case in cases
        if case["optimizer"] in ("flow", "descent") and np.log(case["predicted"]["details"].get("alpha") or 1) >= 2
    ]
    rows += [row("flow and descent, log(alpha) at least 2", large), row("all", cases), ""]
    rows += [head.format("family"), bar, *(row(name, found) for name, found in _by(cases, "family").items()), ""]
    return rows + collapse(kept) + cost(kept)


def _by(cases: list[dict], word: str) -> dict[str, list[dict]]:
    return {name: [case for case in cases if case[word] == name] for name in dict.fromkeys(c[word] for c in cases)}


def collapse(kept: dict) -> list[str]:
    """From one run at alpha = 4, those at larger scales."""
    rows = kept.get("collapse", [])
    alphas = [f"alpha = {one['alpha']:g}" for one in rows[0]["larger"]] if rows else []
    table = ["| family, from one run at alpha = 4 | " + " | ".join(alphas) + " |", "| --- " + "| ---: " * len(alphas) + "|"]
    for one in rows:
        errors = [
            "lost" if large["seen"] is None else f"{100 * abs(large['seen'] / large['predicted'] - 1):.2f}%"
            for large in one["larger"]
        ]
        table.append(f"| {one['family']} | " + " | ".join(errors) + " |")
    return [*table, ""] if rows else []


def cost(kept: dict) -> list[str]:
    """What the largest forecast cost beside its training."""
    if "cost" not in kept:
        return []
    found = kept["cost"]
    return [
        f"The largest: {found['says']}. The forecast took {found['forecast_cpu']:.2f} s of CPU "
        f"({found['first_cpu']:.1f} s the first time in a process), the training {found['training_cpu']:.0f} s "
        f"({found['steps']:,.0f} steps; {found['timed']:,} of them timed): {100 * found['share']:.2f}% "
        f"({100 * found['first_share']:.1f}% the first time).",
        "",
    ]


def main() -> None:
    """Put the tables into a page, between its marks."""
    kept, page = json.loads(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2])
    before, rest = page.read_text().split(BEGIN)
    page.write_text(before + "\n".join([BEGIN, "", *lines(kept)]) + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
