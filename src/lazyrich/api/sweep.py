"""Sweeps over a claim's simulation: begun from its id and a grid, resumed from the plan that the store keeps."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import BadInput
from ..lab.params import Size
from .base import Claim
from .record import of_sweep
from .registry import find

if TYPE_CHECKING:
    from ..lab import Store
    from ..lab.sweeps.coordinator import Progress, Swept

Tell = Callable[["Progress"], None]
Each = Callable[[dict[str, Any]], None]


def begin(
    identity: str,
    over: Mapping[str, Any],
    store: "Store",
    *,
    size: Size,
    seed: int,
    changes: Mapping[str, Any] | None = None,
    engine: str = "local",
    yes: bool = False,
    tell: Tell = lambda progress: None,
    each: Each = lambda group: None,
    begun: Callable[[str], None] = lambda run: None,
) -> "Swept":
    """Sweep a claim's simulation over these values; `begun` is told the run's name before any work.

    `tell` is told where it stands after every piece, `each` of every group of points that is done.
    """
    from ..lab.sweeps import sweep as lab
    from ..lab.sweeps.coordinator import carry_out
    from ..lab.sweeps.engines import require_engine
    from ..lab.sweeps.grid import Grid

    require_engine(engine)
    claim = _sweepable(identity, size)
    grid = Grid.of(claim.simulation, over, fixed=changes, defaults=claim.sizes.get(size), size=size, yes=yes)
    told = of_sweep(claim, identity, size=size, seed=seed, over=over, changes=changes or {})
    growing = lab.begin(grid, store, seed=seed, told=told)
    begun(growing.run)
    return carry_out(grid, growing, store, engine=engine, tell=tell, each=each)


def resume(
    run: str,
    store: "Store",
    *,
    identity: str | None = None,
    over: Mapping[str, Any] | None = None,
    size: str | None = None,
    seed: int | None = None,
    changes: Mapping[str, Any] | None = None,
    engine: str = "local",
    yes: bool = True,
    tell: Tell = lambda progress: None,
    each: Each = lambda group: None,
    begun: Callable[[str], None] = lambda run: None,
) -> "Swept":
    """Compute what is missing of a sweep; an id, a grid or settings that are given too must be its own."""
    from ..lab.sweeps import sweep as lab
    from ..lab.sweeps.coordinator import carry_out
    from ..lab.sweeps.grid import Grid

    told, _ = lab.plan_of(store, run)
    lab.require_own(told, "size", size, told["size"])
    lab.require_own(told, "seed", seed, told["seed"])
    for name, given in _admitted(told["id"], changes):
        lab.require_own(told, name, given, told["values"].get(name))
    if (done := lab.finished(store, run)) is not None:
        return done
    growing = store.unfinished(run)
    own: Size = told["size"]
    claim = _sweepable(told["id"], own)
    if identity is not None and find(identity) is not claim:
        raise BadInput(needed=f"sweep {growing.run} is of {claim.id}", given=identity, cure="Leave out the id.")
    if over:
        wanted = Grid.of(claim.simulation, over, fixed=changes, defaults=claim.sizes.get(own), size=own, yes=True)
        lab.unfinished(wanted, store, run)
    begun(growing.run)
    grid = lab.regrown(claim.simulation, growing)
    return carry_out(grid, growing, store, engine=engine, tell=tell, each=each)


def _admitted(identity: str, changes: Mapping[str, Any] | None) -> list[tuple[str, Any]]:
    """Changes of a claim's parameters as a plan holds them."""
    known = {param.name: param for param in find(identity).simulation.params}
    found = {name: known[name].admit(value) if name in known else value for name, value in (changes or {}).items()}
    return [(name, list(value) if isinstance(value, tuple) else value) for name, value in found.items()]


def _sweepable(identity: str, size: Size) -> Claim:
    """A claim with a simulation whose data sets are here."""
    claim = find(identity)
    if claim.kind == "drawing":
        raise BadInput(
            needed="a sweep needs a simulation", given=f"{identity}, a drawing of a model", cure="Draw it with run."
        )
    if missing := claim.missing(size):
        raise BadInput(
            needed=f"{identity} needs its data sets", given="; ".join(missing), cure="Name their folder with --data."
        )
    return claim
