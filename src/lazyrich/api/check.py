"""The one place that checks, stores and draws: what the command line and `lz.check` call."""

import pathlib
import warnings
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from ..claims import Claim, Result
from ..claims import check as judge
from ..claims import record as records
from ..claims.registry import descriptions, find
from ..errors import BadInput, StoreFault
from ..lab import Runner, Store
from ..lab.machine import environment, prepare, relieve
from ..lab.params import Size
from ..lab.parsing import threads_may_trace

if TYPE_CHECKING:
    import xarray as xr

    from ..problems import Split

# Claims that are judged at the same time.
AT_ONCE = 3
VERDICTS = ("holds", "fails", "inconclusive", "skipped")

Say = Callable[[str], None]


def check(
    claim: str | Claim, *, size: Size = "quick", seed: int = 0, store: str | None = None, reuse: bool = False, **params: Any
) -> Result:
    """Judge one claim, by its id or one of your own, with its parameters by name: `check("woodworth2020/theorem_1", alpha=0.1)`.

    Sets double precision by itself. With a `store` the result is kept there; with `reuse` a stored result of the same
    claim, parameters, seed and code is taken instead of computing it again.
    """
    prepare()
    kept = Store(store) if store or reuse else None
    (result,) = check_many(
        [claim], size=size, seed=seed, changes=params, store=kept, reuse=reuse, say=lambda text: warnings.warn(text, stacklevel=3)
    )
    return result


def check_model(init: Any, data: "Split", **params: Any) -> Result:
    """Judge whether a model of yours goes through the two phases of lyu2024 on two classes: any homogeneous equinox module.

    Kernel first, then curves that coincide for all scales, last a KKT point of minimum norm. A model that is not homogeneous, or
    whose output at initialization is not zero, comes out as inconclusive with what was measured. `log_alpha` and
    `weight_decay` may be tuples. `lazyrich.api.check.save` draws the result; models are not stored, so it takes no `store`.
    """
    prepare()
    from ..claims.own_model import check_model as judge_model

    return judge_model(init, data, changes=params)


def load(run: str, store: str | None = None) -> "xr.Dataset":
    """A stored run as a Dataset: its data and references, with its record as attributes.

    `run` is its name as `lazyrich runs` lists it, the end of that name, or "latest".
    """
    return Store(store).load(run)


def check_many(
    claims: "Iterable[str | Claim]",
    *,
    size: str,
    seed: int,
    changes: Mapping[str, Any],
    runner: Runner | None = None,
    store: Store | None = None,
    reuse: bool = False,
    say: Say = lambda text: None,
) -> Iterable[Result]:
    """Judge several claims, three at a time, and keep each in its turn; all arguments are validated before the first is run.

    What goes wrong with the store after that is said, and the result still given, without the name of a run.
    """
    size = require(size, seed)
    wanted = [(one.id, one) if isinstance(one, Claim) else (one, find(one)) for one in claims]
    settled = [claim.resolve(size, changes).shown() for _, claim in wanted]
    if store is not None:
        store.require_writable()
    runner = runner or Runner()

    def judged(identity: str, claim: Claim, params: Mapping) -> tuple[Result, bool]:
        """The result, and whether it is a new one to keep: what was skipped has no data."""
        known = None if store is None else _known(claim, size, seed, params, store, reuse=reuse, say=say)
        if known is not None:
            return replace(known, id=identity), False
        result = judge(claim, size=size, seed=seed, changes=changes, runner=runner, as_id=identity)
        relieve()
        return result, result.verdict != "skipped"

    # While one claim is traced and compiled, which keeps one core busy, another is run.
    with ThreadPoolExecutor(AT_ONCE if threads_may_trace() else 1) as pool:
        try:
            for coming in [pool.submit(judged, *one, params) for one, params in zip(wanted, settled, strict=True)]:
                result, new = coming.result()
                yield keep(result, store, say=say) if new and store is not None else result
        except BaseException:
            runner.halt()
            pool.shutdown(cancel_futures=True)
            raise


def _known(claim: Claim, size: Size, seed: int, params: Mapping, store: Store, *, reuse: bool, say: Say) -> Result | None:
    """The stored result of the same configuration, if it is asked for and whole."""
    try:
        runs = store.like(records.fingerprint(claim, size, seed, params, environment()))
    except StoreFault as fault:
        say(str(fault))
        return None
    if runs and not reuse:
        say(f"{claim.id} was run like this before, as {runs[0]}; --reuse takes it from the store")
    for run in runs if reuse else ():
        try:
            return records.revive(claim, store.load(run))
        except StoreFault as fault:
            say(str(fault))
    return None


def keep(result: Result, store: Store, *, say: Say, made: Mapping[str, Any] | None = None) -> Result:
    """Store a result; if that fails, say so and give the result all the same."""
    record = records.record(result.claim, result, made or environment())
    try:
        return result.with_run(store.add(records.dataset(result), record))
    except StoreFault as fault:
        say(str(fault))
        return result


def save(result: Result, folder: str | pathlib.Path) -> Result:
    """Draw a result: PNG and SVG with the numbers beside them as CSV."""
    if result.drawing is None:
        return result
    from ..report import figures

    draws = result.params.get("trials")
    footer = f"{result.id}, size {result.size}, seed {result.seed}" + (f", {draws} trials" if draws else "")
    try:
        paths = figures.save(
            result.drawing, folder, result.id.replace("/", "-"), title=result.claim.title, verdict=result.verdict, footer=footer
        )
    except OSError as error:
        raise no_place(folder, error) from error
    return result.with_files(paths)


def require_place(folder: str | pathlib.Path) -> None:
    """Make the folder for figures, or say why it cannot be: before any work."""
    try:
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise no_place(folder, error) from error


def no_place(folder: str | pathlib.Path, error: OSError) -> StoreFault:
    """A folder in which no figure can be put."""
    return StoreFault(
        needed="figures need a folder that can be written to, with room in it",
        given=f"{folder} ({error.strerror or error})",
        cure="Choose another with --out.",
    )


def document(results: Iterable[Result]) -> dict[str, Any]:
    """Results in the shape that other programs read."""
    found = [result.as_json() for result in results]
    summary = {verdict: sum(one["verdict"] == verdict for one in found) for verdict in VERDICTS}
    return {"results": found, "summary": summary, "environment": environment()}


def select(pattern: str | None, paper: str | None) -> list[Claim]:
    """The claims of a paper, or all, whose id, title or kind holds the pattern."""
    return [find(one["id"]) for one in descriptions(paper, pattern=pattern)]


def require(size: str, seed: int) -> Size:
    """The size, unless it or the seed does not exist."""
    if size not in ("smoke", "quick", "paper"):
        raise BadInput(needed="the sizes are quick and paper", given=repr(size), cure="Start with quick.")
    if not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise BadInput(needed="a seed is a whole number from 0 to 2^32 - 1", given=repr(seed), cure="Use 0.")
    return cast(Size, size)
