"""Rows of every kind, questions about them and writers of them, for the catalogue in a file and on a server."""

import threading
from collections.abc import Callable

ROWS = [
    {"params": {"alpha": 1, "decay": 1e-3, "width": [1, 10, 100]}, "seed": 0, "verdict": "holds"},
    {"params": {"alpha": 0.1 + 0.2, "decay": 0.1, "width": 5}, "seed": 1, "verdict": "fails"},
    {"params": {"alpha": [0.5, 2.5], "decay": -3.5}, "seed": 2, "verdict": "holds", "commit": None},
    {"params": {"alpha": "=decay*2", "decay": 1e300}, "seed": 3, "verdict": "never"},
    {"params": {}, "seed": 4, "verdict": "größer 'x\"", "commit": "abc"},
    {"params": {"seed": 99, "alpha": True, "größe": 2}, "seed": 5},
]
READINGS = [
    {"holds": {"relative distance": 1e-7, "time": "never"}, "sound": {"loss": 0.5}},
    {"holds": {"relative distance": "nan", "time": 3.0}, "sound": {}},
    {"holds": {}, "sound": {"loss": 2}},
    {"holds": {"relative distance": 1}, "sound": {}},
    {"holds": {"time": 0}, "sound": {}},
    {"holds": {"größe": 2}, "sound": {}},
]
QUESTIONS = (
    "alpha > 0.4", "alpha == 0.30000000000000004", "alpha == 0.3", "0.4 < alpha", "alpha >= 1 and verdict == 'holds'",
    "decay == 1e-3", "decay < 0", "decay <= -3.5", "decay > 1e299", "decay == 0.1 or seed == 4", "not decay > 0",
    "seed == 99", "seed != 2", "seed in (1, 2)", "verdict == 'holds'", "verdict != 'holds'", "verdict > 'g'",
    "verdict == \"größer 'x\\\"\"", "commit == 'abc'", "commit != 'abc'", "width == 10", "width > 50 and seed < 3",
    "holds['time'] > 1e9", "holds['time'] < 1", "holds['relative distance'] < 1e-6", "sound['loss'] == 2", "seed",
    "alpha == 1", "seed + 1 > 3 and alpha > 0", "1 < seed < 4 and decay > 0", "alpha == '=decay*2'", "holds['time'] == 3",
    "holds['time'] < 'never'", "holds['time'] <= 'nan'", "seed == 'never'", "größe > 1", "größe == 'x' or seed == 1",
    f"decay < {'9' * 400}", "decay < 1e999", "decay > -1e999", "holds['größe'] > 1",
)  # fmt: skip


def facts() -> list[dict]:
    """The rows as a catalogue takes them."""
    return [
        {"run": f"r{at:02}", "created": f"2026-01-01T00:00:{at:02}Z", **row, **readings}
        for at, (row, readings) in enumerate(zip(ROWS, READINGS, strict=True))
    ]


def written_at_once(add: Callable[[list[dict]], None], *, writers: int) -> list[Exception]:
    """What went wrong when so many threads added five runs each, beginning at one moment."""
    start, faults = threading.Barrier(writers), []

    def write(writer: int) -> None:
        try:
            start.wait()
            for at in range(5):
                add([{"run": f"{writer}-{at:02}", "fingerprint": "f", "created": f"2026-01-01T00:00:{at:02}Z"}])
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return faults
