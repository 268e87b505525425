"""The configuration of a training, parsed from the query of a request and checked against the allowed ranges."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from ..errors import BadInput
from ..forecast.experiment import Experiment
from ..forecast.experiments import EXPERIMENTS, find
from ..lab.simulation import split_static

MAX_QUERY_LENGTH = 2_000  # characters
SEED_LIMIT = 2**32
SECOND_PREFIX = "b."  # of the fields of the second of two compared trainings
_NUMBER = re.compile(r"[+-]?\d{1,20}(?:\.\d{0,20})?(?:[eE][+-]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True)
class TrainingConfig:
    """One training: the name of the experiment, its parameter values in order, and the seed."""

    experiment: str
    values: tuple[tuple[str, int | float], ...]
    seed: int

    @property
    def definition(self) -> Experiment:
        """The experiment itself."""
        return find(self.experiment)

    def split(self) -> tuple[dict[str, Any], tuple]:
        """The traced values, and the static ones that a program is compiled for."""
        return split_static(dict(self.values), self.definition.params)

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"experiment": self.experiment, "seed": self.seed, "params": dict(self.values)}


def query_fields(query: bytes | str) -> dict[str, str]:
    """The names and values of a query string; repeated names and long queries are refused."""
    try:
        text = query.decode("ascii") if isinstance(query, bytes) else query
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), errors="strict", max_num_fields=64)
    except ValueError as error:
        raise _refusal("a query has the form name=value&name=value", f"another form ({type(error).__name__})") from None
    if len(text) > MAX_QUERY_LENGTH:
        raise _refusal(f"a query has at most {MAX_QUERY_LENGTH} characters", f"{len(text)}")
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise _refusal("a query has each name once", "a repeated name")
    return fields


def parse_config(fields: Mapping[str, str]) -> TrainingConfig:
    """The training that these fields describe; missing parameters have their default values."""
    given = dict(fields)
    definition = find(given.pop("experiment", EXPERIMENTS[0]))
    seed = parse_number("seed", given.pop("seed", "0"))
    if seed != int(seed) or not 0 <= seed < SEED_LIMIT:
        raise _refusal("a seed is an integer from 0 to 2^32 - 1", f"{seed:g}")
    values = definition.resolve({name: parse_number(name, text) for name, text in given.items()})
    return TrainingConfig(definition.name, tuple(values.items()), int(seed))


def parse_configs(fields: Mapping[str, str]) -> tuple[TrainingConfig, ...]:
    """One training, or two to compare: fields that begin with `b.` replace those of the first."""
    first = {name: text for name, text in fields.items() if not name.startswith(SECOND_PREFIX)}
    changes = {name.removeprefix(SECOND_PREFIX): text for name, text in fields.items() if name.startswith(SECOND_PREFIX)}
    if "experiment" in changes:
        raise _refusal("two compared trainings belong to one experiment", f"another in {SECOND_PREFIX}experiment")
    return (parse_config(first), parse_config({**first, **changes})) if changes else (parse_config(first),)


def parse_number(name: str, text: str) -> float:
    """A plain number: no formula, no list, no infinity."""
    if not _NUMBER.fullmatch(text):
        raise _refusal(f"{name[:40]} takes a number", repr(text[:40]))
    value = float(text)
    if not math.isfinite(value):
        raise _refusal(f"{name[:40]} takes a finite number", repr(text[:40]))
    return value


def _refusal(needed: str, given: str) -> BadInput:
    return BadInput(needed=needed, given=given, cure="Go back to the page and choose there.")
