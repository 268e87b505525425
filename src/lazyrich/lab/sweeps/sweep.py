"""The entry point: a simulation or a function of one's own at every point of a grid, begun or resumed."""

import pathlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from ...errors import BadInput
from ..params import Params, Size
from ..simulation import Simulation
from ..store.facts import masked
from ..store.store import Store
from .coordinator import Progress, Swept, carry_out
from .engines import require_engine
from .functions import simulation_of
from .grid import Grid
from .growing import Growing, points
from .plan import planned
from .reuse import settled

How = Literal["auto", "loop", "map", "vmap"]


def sweep(
    what: Simulation | Callable,
    over: Mapping[str, Any],
    *,
    fixed: Mapping[str, Any] | None = None,
    seed: int | None = None,
    size: Size = "quick",
    engine: str = "local",
    store: str | Store | None = None,
    resume: str | None = None,
    static: Iterable[str] = (),
    returns: Mapping[str, str] | None = None,
    host: bool = False,
    how: How = "auto",
    parts: str | None = None,
    yes: bool = False,
    notify: Callable[[Progress], None] = lambda progress: None,
) -> Swept:
    """Compute `what` at every combination of the values in `over`; `.data` of the result is one labelled Dataset.

    A function asks for its parameters by name, may take a `key` (then there are `trials`), and returns a number, an array or
    a dict of them. It is traced by JAX unless `host` is set; `static` names the parameters that shapes depend on, `returns`
    the axes of what it returns. Points of equal static values share one compiled program; a loop, a chunked map or vmap is
    picked by a timed probe. `engine` is local, dask or the address of a Dask scheduler, whose workers write to `parts` if that
    is given: a folder or an address that fsspec knows, in which the sweep has a folder of its name until it is done.
    Whatever dies, `resume` with the name of the run computes what is missing. The seed is 0 unless given, or that of the run.
    """
    require_engine(engine)
    simulation = what if isinstance(what, Simulation) else _of(what, over, fixed, static, returns, host)
    grid = Grid.of(simulation, over, fixed=_numbers(simulation, fixed), size=size, yes=yes or resume is not None)
    attributes = {"id": simulation.simulate.__qualname__, "size": size, "over": list(over), "parts": _place(parts)}
    place = store if isinstance(store, Store) else Store(store)
    if resume is not None:
        before, _ = plan_of(place, resume)
        require_own(before, "seed", seed, before["seed"])
        if (done := finished(place, resume)) is not None:
            return done
    growing = begin(grid, place, seed=seed or 0, attributes=attributes) if resume is None else unfinished(grid, place, resume)
    return carry_out(grid, growing, place, engine=engine, how=how, notify=notify)


def begin(grid: Grid, store: Store, *, seed: int, attributes: Mapping[str, Any]) -> Growing:
    """Write the plan of a new sweep; a store that cannot be written to is refused before that."""
    store.require_writable()
    return store.begin(planned(grid, seed=seed, attributes=attributes))


def unfinished(grid: Grid, store: Store, run: str) -> Growing:
    """A sweep to resume, which must be over the same grid."""
    growing = store.unfinished(run)
    mine = {name: list(values) if isinstance(values, tuple) else values for name, values in grid.params.values.items()}
    if mine != growing.record["values"]:
        raise BadInput(
            needed=f"sweep {growing.run} is resumed over its own grid",
            given="other axes or values",
            cure="Leave out --over and --set with --resume, or sweep anew.",
        )
    return growing


def require_own(attributes: Mapping[str, Any], name: str, given: Any, own: Any) -> None:
    """Refuse to resume a sweep with another seed, size or value than its own; None is whatever it has."""
    if given is not None and given != own:
        raise BadInput(
            needed=f"sweep {attributes['run']} is resumed as it was begun, with {name} {own}",
            given=str(given),
            cure=f"Leave out {name} with --resume, or sweep anew.",
        )


def finished(store: Store, run: str) -> Swept | None:
    """The result of a finished sweep; None if points are missing."""
    attributes, growing = plan_of(store, run)
    if growing is not None:
        return None
    failed, total = len(attributes["failures"]), points(attributes)
    return Swept(attributes["run"], total, 0, failed, total - failed, attributes["axes"], store.shown, 0.0, place=store)


def plan_of(store: Store, run: str) -> tuple[dict[str, Any], Growing | None]:
    """The plan of a sweep, and the sweep itself while it is unfinished; a run of another kind is refused."""
    name, growing = store.look_up(run)
    attributes = store.record(name) if growing is None else growing.record
    if attributes.get("kind") != "sweep":
        raise BadInput(needed="a sweep to resume", given=f"{name}, which is none", cure="`lazyrich runs` lists them.")
    return attributes, growing


def regrown(simulation: Simulation, growing: Growing) -> Grid:
    """The grid of an unfinished sweep, from its plan."""
    statics = frozenset(param.name for param in simulation.params if param.static)
    return Grid(simulation, Params(settled(growing.record["values"]), statics))


def _of(function, over, fixed, static, returns, host) -> Simulation:
    if not callable(function):
        raise BadInput(needed="a sweep takes a Simulation or a function", given=type(function).__name__, cure="Give one of them.")
    return simulation_of(function, over, fixed or {}, static=static, returns=returns, host=host)


def _place(parts: str | None) -> str | None:
    """Where the parts go, found again from any folder; the plan names it for all to read, so it may not hold a password."""
    if parts is None or "://" not in parts:
        return parts and str(pathlib.Path(parts).expanduser().absolute())
    if masked(parts) != parts:
        raise BadInput(
            needed="the address of the parts is written into the plan of the sweep",
            given=f"one with a password, {masked(parts)}",
            cure="Leave it out, and give it by the environment or the settings of fsspec.",
        )
    return parts


def _numbers(simulation: Simulation, fixed: Mapping[str, Any] | None) -> dict[str, Any]:
    """What is fixed and a parameter; other objects are bound to the function."""
    bound = getattr(simulation.simulate, "bound", {})
    return {name: value for name, value in (fixed or {}).items() if name not in bound}
