"""Sweeps over a claim's simulation: begun from its id and a grid, resumed from the plan that the store keeps."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..claims.base import Claim
from ..claims.record import of_sweep
from ..claims.registry import find
from ..errors import BadInput
from ..lab import Store
from ..lab.machine import prepare
from ..lab.params import Size, canonical
from .check import require

if TYPE_CHECKING:
    from ..lab.sweeps.coordinator import Progress, Swept

Notify = Callable[["Progress"], None]
Each = Callable[[dict[str, Any]], None]


def sweep(
    identity: str | None,
    over: Mapping[str, Any],
    *,
    size: str | None = None,
    seed: int | None = None,
    store: str | Store | None = None,
    resume: str | None = None,
    **options: Any,
) -> "Swept":
    """Compute a claim's simulation at every point of a grid: `sweep("woodworth2020/figure_5_left", {"alpha": [0.01, 0.1]})`.

    Switches double precision on. A new one is quick and from seed 0, unless said otherwise; `resume` computes what is missing
    of an unfinished one. The other options are those of `begin`: `changes`, `engine`, `yes`, `notify`, `each`, `begun`.
    """
    prepare()
    place = store if isinstance(store, Store) else Store(store)
    if resume is not None:
        return resumed(resume, place, identity=identity, over=over, size=size, seed=seed, **options)
    size, seed = size or "quick", seed or 0
    return begin(str(identity), over, place, size=require(size, seed), seed=seed, **options)


def begin(
    identity: str,
    over: Mapping[str, Any],
    store: Store,
    *,
    size: Size,
    seed: int,
    changes: Mapping[str, Any] | None = None,
    engine: str = "local",
    yes: bool = False,
    notify: Notify = lambda progress: None,
    each: Each = lambda group: None,
    begun: Callable[[str], None] = lambda run: None,
) -> "Swept":
    """Sweep a claim's simulation over these values; `begun` is called with the run's name before any work.

    `notify` is called with the progress after every piece, `each` with every group of points that is done.
    """
    from ..lab.sweeps import sweep as lab
    from ..lab.sweeps.coordinator import carry_out
    from ..lab.sweeps.engines import require_engine
    from ..lab.sweeps.grid import Grid

    require_engine(engine)
    claim = _sweepable(identity, size)
    grid = Grid.of(claim.simulation, over, fixed=changes, defaults=claim.sizes.get(size), size=size, yes=yes)
    over, changes = (canonical(claim.simulation.params, given or {}) for given in (over, changes))
    attributes = of_sweep(claim, identity, size=size, seed=seed, over=over, changes=changes)
    growing = lab.begin(grid, store, seed=seed, attributes=attributes)
    begun(growing.run)
    return carry_out(grid, growing, store, engine=engine, notify=notify, each=each)


def resumed(
    run: str,
    store: Store,
    *,
    identity: str | None = None,
    over: Mapping[str, Any] | None = None,
    size: str | None = None,
    seed: int | None = None,
    changes: Mapping[str, Any] | None = None,
    engine: str = "local",
    yes: bool = True,
    notify: Notify = lambda progress: None,
    each: Each = lambda group: None,
    begun: Callable[[str], None] = lambda run: None,
) -> "Swept":
    """Compute what is missing of a sweep; an id, a grid or settings that are given too must be its own."""
    from ..lab.sweeps import sweep as lab
    from ..lab.sweeps.coordinator import carry_out
    from ..lab.sweeps.grid import Grid

    attributes, _ = lab.plan_of(store, run)
    lab.require_own(attributes, "size", size, attributes["size"])
    lab.require_own(attributes, "seed", seed, attributes["seed"])
    for name, given in _admitted(attributes["id"], changes):
        lab.require_own(attributes, name, given, attributes["values"].get(name))
    if (done := lab.finished(store, run)) is not None:
        return done
    growing = store.unfinished(run)
    own: Size = attributes["size"]
    claim = _sweepable(attributes["id"], own)
    if identity is not None and find(identity) is not claim:
        raise BadInput(needed=f"sweep {growing.run} is of {claim.id}", given=identity, cure="Leave out the id.")
    if over:
        wanted = Grid.of(claim.simulation, over, fixed=changes, defaults=claim.sizes.get(own), size=own, yes=True)
        lab.unfinished(wanted, store, run)
    begun(growing.run)
    grid = lab.regrown(claim.simulation, growing)
    return carry_out(grid, growing, store, engine=engine, notify=notify, each=each)


def _admitted(identity: str, changes: Mapping[str, Any] | None) -> list[tuple[str, Any]]:
    """Changes of a claim's parameters as a plan holds them."""
    params = find(identity).simulation.params
    known = {param.name: param for param in params}
    found = {name: known[name].validate(value) for name, value in canonical(params, changes or {}).items()}
    return [(name, list(value) if isinstance(value, tuple) else value) for name, value in found.items()]


def _sweepable(identity: str, size: Size) -> Claim:
    """A claim with a simulation whose data sets are here."""
    claim = find(identity)
    if claim.kind == "drawing":
        raise BadInput(needed="a sweep needs a simulation", given=f"{identity}, a drawing of a model", cure="Draw it with run.")
    if missing := claim.missing(size):
        raise BadInput(needed=f"{identity} needs its data sets", given="; ".join(missing), cure="Name their folder with --data.")
    return claim
