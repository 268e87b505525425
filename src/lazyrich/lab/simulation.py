"""A simulation: how its problem is made, how one trial runs at one point, and what that returns."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from .params import Param, Params, names_of

HANDED = ("key", "problem", "data", "theory")


def asked(function: Callable | None) -> tuple[str, ...]:
    """The parameters that a function asks for by name; what a partial function already has is not asked for."""
    if function is None:
        return ()
    held = getattr(function, "keywords", {})
    return tuple(name for name in inspect.signature(function).parameters if name not in HANDED and name not in held)


def takes(function: Callable, name: str) -> bool:
    """Whether a function wants to be handed something beside parameters."""
    return name in inspect.signature(function).parameters


@dataclass(frozen=True)
class Simulation:
    """One trial at one point, as functions that ask for their parameters by name.

    `make_problem(key, ...)` makes the data; `simulate(key, problem, *, ...)` returns a flat dict of arrays whose own axes
    `returns` names with axis words ("t", "d", or "" for a number). Both are traced by JAX unless `host` is set.
    A simulation that is not `random` takes no key and has no trials. A returned "outcome" is a solver's code
    and becomes a sound reading by itself.
    """

    simulate: Callable[..., dict[str, Any]]
    params: Sequence[Param]
    returns: Mapping[str, str]
    make_problem: Callable[..., Any] | None = None
    random: bool = True
    host: bool = False

    def __post_init__(self):
        """Add the trials, and refuse functions that ask for what is not there."""
        names = [param.name for param in self.params]
        if self.random and "trials" not in names:
            trials = Param("trials", 4, 10, smoke=1, low=1, high=10_000, unit="draws", static=True)
            object.__setattr__(self, "params", (*self.params, trials))
        names_of(self.params)
        missing = {*asked(self.simulate), *asked(self.make_problem)} - {param.name for param in self.params}
        if missing or len(set(names)) < len(names):
            raise TypeError(f"{self.simulate.__qualname__}: asks for {sorted(missing)}; its parameters are {names}")

    @property
    def wants(self) -> tuple[str, ...]:
        """All that one trial depends on."""
        return tuple(name for name in dict.fromkeys((*asked(self.make_problem), *asked(self.simulate))) if name != "trials")

    def trials(self, params: Params) -> int | None:
        """How many draws these params ask for; None where nothing is drawn."""
        return params.values["trials"] if self.random else None

    def with_params(self, *params: Param) -> "Simulation":
        """The same experiment with some parameters described anew."""
        fresh = {param.name: param for param in params}
        kept = tuple(fresh.get(param.name, param) for param in self.params)
        return replace(self, params=kept)

    @cached_property
    def program(self) -> Callable[..., dict[str, Any]]:
        """One trial at one point as a function of a key and named values: compiled, unless on the host."""
        if self.host:
            return trial_of(self.simulate, self.make_problem, self.random)
        compiled = _compiled(self.simulate, self.make_problem, self.random)
        return lambda key, values: compiled(key, *split_static(values, self.params))


def trial_of(simulate: Callable, make_problem: Callable | None, random: bool) -> Callable[..., dict[str, Any]]:
    """One trial at one point: the problem, then what is simulated on it."""

    def trial(key, values):
        handed = {"key": key} if random else {}
        if make_problem is not None:
            handed["problem"] = make_problem(key, **{name: values[name] for name in asked(make_problem)})
        return simulate(**handed, **{name: values[name] for name in asked(simulate)})

    return trial


@lru_cache(maxsize=64)
def _compiled(simulate: Callable, make_problem: Callable | None, random: bool) -> Callable[..., dict[str, Any]]:
    """The compiled trial, one for all simulations of the same functions."""
    import jax

    trial = trial_of(simulate, make_problem, random)
    return jax.jit(lambda key, traced, static: trial(key, traced | dict(static)), static_argnums=2)


def split_static(values: Mapping[str, Any], params: Sequence[Param]) -> tuple[dict, tuple]:
    """Values to trace, and values that programs are compiled for."""
    static = {param.name for param in params if param.static}
    traced = {name: value for name, value in values.items() if name not in static}
    return traced, tuple(sorted((name, value) for name, value in values.items() if name in static))
