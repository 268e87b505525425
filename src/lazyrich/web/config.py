"""What a visitor asks for: an experiment and its numbers, read from a query and held to their ranges."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from ..errors import BadInput
from ..lab.experiment import Experiment
from ..lab.experiments import EXPERIMENTS, find
from ..lab.simulation import split_static

LONGEST = 2_000  # characters of a query
SEEDS = 2**32
SECOND = "b."  # names of the second of two settings begin so
_NUMBER = re.compile(r"[+-]?\d{1,20}(?:\.\d{0,20})?(?:[eE][+-]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True)
class Ask:
    """One training: the experiment's name, its settled numbers in order, and the seed of the draws."""

    experiment: str
    values: tuple[tuple[str, int | float], ...]
    seed: int

    @property
    def kind(self) -> Experiment:
        """The experiment itself."""
        return find(self.experiment)

    def split(self) -> tuple[dict[str, Any], tuple]:
        """The numbers to trace, and those that a program is compiled for."""
        return split_static(dict(self.values), self.kind.params)

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"experiment": self.experiment, "seed": self.seed, "params": dict(self.values)}


def fields(query: bytes | str) -> dict[str, str]:
    """The names and texts of a query: each once, none empty, none of them long."""
    try:
        text = query.decode("ascii") if isinstance(query, bytes) else query
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), errors="strict", max_num_fields=64)
    except ValueError as error:
        raise _refusal("a query reads name=value&name=value", f"one that does not ({type(error).__name__})") from None
    if len(text) > LONGEST:
        raise _refusal(f"a query has at most {LONGEST} characters", f"{len(text)}")
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _refusal("each name of a query stands there once", "one that is repeated")
    return found


def ask(told: Mapping[str, str]) -> Ask:
    """The training that these fields ask for; numbers that are left out have their usual values."""
    given = dict(told)
    kind = find(given.pop("experiment", EXPERIMENTS[0]))
    seed = number("seed", given.pop("seed", "0"))
    if seed != int(seed) or not 0 <= seed < SEEDS:
        raise _refusal("a seed is a whole number from 0 to 2^32 - 1", f"{seed:g}")
    settled = kind.settle({name: number(name, text) for name, text in given.items()})
    return Ask(kind.name, tuple(settled.items()), int(seed))


def both(told: Mapping[str, str]) -> tuple[Ask, ...]:
    """One training, or two to compare: the second differs from the first in the fields that begin with `b.`."""
    first = {name: text for name, text in told.items() if not name.startswith(SECOND)}
    other = {name.removeprefix(SECOND): text for name, text in told.items() if name.startswith(SECOND)}
    if "experiment" in other:
        raise _refusal("two settings to compare are of one experiment", f"another in {SECOND}experiment")
    return (ask(first), ask({**first, **other})) if other else (ask(first),)


def number(name: str, text: str) -> float:
    """A plain number: no formula, no list, no infinity."""
    if not _NUMBER.fullmatch(text):
        raise _refusal(f"{name[:40]} takes a number", repr(text[:40]))
    value = float(text)
    if not math.isfinite(value):
        raise _refusal(f"{name[:40]} takes a number that a computer holds", repr(text[:40]))
    return value


def _refusal(needed: str, given: str) -> BadInput:
    return BadInput(needed=needed, given=given, cure="Go back to the page and choose there.")
