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
    grid = Grid.of(claim.simulation, over, fixed=changes, defaults=claim.sizes.get(size), size=size)
    told = of_sweep(claim, identity, size=size, seed=seed, over=over, changes=changes or {})
    growing = lab.begin(grid, store, seed=seed, told=told, yes=yes)
    begun(growing.run)
    return carry_out(grid, growing, store, engine=engine, tell=tell, each=each)


def resume(
    run: str,
    store: "Store",
    *,
    identity: str | None = None,
    over: Mapping[str, Any] | None = None,
    changes: Mapping[str, Any] | None = None,
    engine: str = "local",
    yes: bool = True,
    tell: Tell = lambda progress: None,
    each: Each = lambda group: None,
    begun: Callable[[str], None] = lambda run: None,
) -> "Swept":
    """Compute what is missing of a sweep; an id or a grid that are given too must be its own."""
    from ..lab.sweeps import sweep as lab
    from ..lab.sweeps.coordinator import carry_out
    from ..lab.sweeps.grid import Grid

    if (done := lab.finished(store, run)) is not None:
        return done
    growing = store.unfinished(run)
    size = growing.record["size"]
    claim = _sweepable(growing.record["id"], size)
    if identity is not None and find(identity) is not claim:
        raise BadInput(needed=f"sweep {growing.run} is of {claim.id}", given=identity, cure="Leave out the id.")
    if over:
        wanted = Grid.of(claim.simulation, over, fixed=changes, defaults=claim.sizes.get(size), size=size)
        lab.unfinished(wanted, store, run)
    begun(growing.run)
    grid = lab.regrown(claim.simulation, growing)
    return carry_out(grid, growing, store, engine=engine, tell=tell, each=each)


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
