"""An experiment: how to pose its problem, how to run one trial at one point, and what that returns."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from .params import Param, Settings

HANDED = ("key", "problem", "data", "told")


def asked(function: Callable | None) -> tuple[str, ...]:
    """The parameters that a function asks for by name."""
    if function is None:
        return ()
    return tuple(name for name in inspect.signature(function).parameters if name not in HANDED)


def takes(function: Callable, name: str) -> bool:
    """Whether a function wants to be handed something beside parameters."""
    return name in inspect.signature(function).parameters


@dataclass(frozen=True)
class Simulation:
    """One trial at one point, as functions that ask for their parameters by name.

    `pose(key, ...)` makes the problem; `run(key, problem, *, ...)` returns a flat dict of arrays whose own axes
    `returns` names with axis words ("t", "d", or "" for a number). Both are traced by JAX unless `host` is set.
    A simulation that is not `random` takes no key and has no trials. A returned "outcome" is a solver's code
    and becomes a sound reading by itself.
    """

    run: Callable[..., dict[str, Any]]
    params: Sequence[Param]
    returns: Mapping[str, str]
    pose: Callable[..., Any] | None = None
    random: bool = True
    host: bool = False

    def __post_init__(self):
        """Add the trials, and refuse functions that ask for what is not there."""
        names = [param.name for param in self.params]
        if self.random and "trials" not in names:
            trials = Param("trials", 4, 10, smoke=1, low=1, high=10_000, unit="draws", static=True)
            object.__setattr__(self, "params", (*self.params, trials))
        missing = {*asked(self.run), *asked(self.pose)} - {param.name for param in self.params}
        if missing or len(set(names)) < len(names):
            raise TypeError(f"{self.run.__qualname__}: asks for {sorted(missing)}; its parameters are {names}")

    @property
    def wants(self) -> tuple[str, ...]:
        """All that one trial depends on."""
        return tuple(name for name in dict.fromkeys((*asked(self.pose), *asked(self.run))) if name != "trials")

    def trials(self, settings: Settings) -> int | None:
        """How many draws these settings ask for; None where nothing is drawn."""
        return settings.values["trials"] if self.random else None

    def with_params(self, *params: Param) -> "Simulation":
        """The same experiment with some parameters described anew."""
        fresh = {param.name: param for param in params}
        kept = tuple(fresh.get(param.name, param) for param in self.params)
        return replace(self, params=kept)

    @cached_property
    def program(self) -> Callable[..., dict[str, Any]]:
        """One trial at one point as a function of a key and named values: compiled, unless on the host."""
        if self.host:
            return _trial(self.run, self.pose, self.random)
        compiled = _compiled(self.run, self.pose, self.random)
        return lambda key, values: compiled(key, *split_static(values, self.params))


def _trial(run: Callable, pose: Callable | None, random: bool) -> Callable[..., dict[str, Any]]:
    """One trial at one point: the problem, then the run."""

    def trial(key, values):
        handed = {"key": key} if random else {}
        if pose is not None:
            handed["problem"] = pose(key, **{name: values[name] for name in asked(pose)})
        return run(**handed, **{name: values[name] for name in asked(run)})

    return trial


@lru_cache(maxsize=64)
def _compiled(run: Callable, pose: Callable | None, random: bool) -> Callable[..., dict[str, Any]]:
    """The compiled trial, one for all simulations of the same functions."""
    import jax

    trial = _trial(run, pose, random)
    return jax.jit(lambda key, traced, static: trial(key, traced | dict(static)), static_argnums=2)


def split_static(values: Mapping[str, Any], params: Sequence[Param]) -> tuple[dict, tuple]:
    """Values to trace, and values that programs are compiled for."""
    static = {param.name for param in params if param.static}
    traced = {name: value for name, value in values.items() if name not in static}
    return traced, tuple(sorted((name, value) for name, value in values.items() if name in static))
