"""The one place that checks, stores and draws: what the command line and `lz.check` call."""

import pathlib
import warnings
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from .claims import Claim, Result, every, find
from .claims import check as judge
from .claims import record as records
from .claims.judge import control_settings
from .errors import BadInput, StoreFault
from .lab import Bench, Store
from .lab.machine import environment, prepare, relieve
from .lab.params import Size

if TYPE_CHECKING:
    import xarray as xr

    from .lab.forecasting.record import Forecast
    from .lab.sweeps.coordinator import Swept
    from .objective import Objective
    from .problems import Split

# Claims that are judged at the same time.
AT_ONCE = 3
VERDICTS = ("holds", "fails", "inconclusive", "skipped")

Say = Callable[[str], None]


def check(
    identity: str, *, size: Size = "quick", seed: int = 0, store: str | None = None, reuse: bool = False, **params: Any
) -> Result:
    """Judge one claim, with its own parameters by name: `check("woodworth2020/theorem_1", alpha=0.1)`.

    Sets double precision by itself. With a `store` the result is kept there; with `reuse` a stored result of the same
    claim, parameters, seed and code is taken instead of computing it again.
    """
    prepare()
    kept = Store(store) if store or reuse else None
    (result,) = check_many(
        [identity],
        size=size,
        seed=seed,
        changes=params,
        store=kept,
        reuse=reuse,
        say=lambda text: warnings.warn(text, stacklevel=3),
    )
    return result


def check_model(start: Any, data: "Split", **params: Any) -> Result:
    """Judge whether a model of yours goes through the two phases of lyu2024 on two classes: any homogeneous equinox module.

    Kernel first, one curve for all scales between, a KKT point of least norm last. A model that is not homogeneous, or
    whose output at the start is not zero, comes out as inconclusive with what was measured. `log_alpha` and `decay` may be
    given as tuples. `save` draws the result; a store keeps no model, so there is none to give.
    """
    prepare()
    from .claims.own_model import check_model as judge_model

    return judge_model(start, data, changes=params)


def forecast(
    goal: "Objective",
    start: Any,
    *,
    test: Any,
    optimizer: Any = None,
    rate: float | None = None,
    cheap_run: bool = True,
) -> "Forecast":
    """Say whether, when and to what error training this start will switch, before it is trained: see `lab.forecast`.

    `optimizer` is a flow (the default), a descent, or one of descent, momentum, adam, adamw with its `rate`.
    """
    prepare()
    from .lab.forecast import forecast as said

    return said(goal, start, test=test, optimizer=optimizer, rate=rate, cheap_run=cheap_run)


def forecast_setting(
    setting: str, *, changes: Mapping[str, Any] | None = None, seed: int = 0, cheap_run: bool = True
) -> dict[str, Any]:
    """The forecast of a named experiment, in the shape that other programs read."""
    prepare()
    from .lab.experiments import find as find_experiment

    require("quick", seed)
    experiment = find_experiment(setting)
    params, posed = experiment.settle(changes), experiment.at(changes, seed=seed)
    told = forecast(posed.goal, posed.start, test=posed.test, optimizer=posed.dynamics, cheap_run=cheap_run)
    return told.as_json(setting, params)


def load(run: str, store: str | None = None) -> "xr.Dataset":
    """A stored run as a Dataset: its curves, what theory told, and as attributes how it came to be.

    `run` is its name as `lazyrich runs` lists it, the end of that name, or "latest".
    """
    return Store(store).load(run)


def check_many(
    identities: Iterable[str],
    *,
    size: str,
    seed: int,
    changes: Mapping[str, Any],
    bench: Bench | None = None,
    store: Store | None = None,
    reuse: bool = False,
    say: Say = lambda text: None,
) -> Iterable[Result]:
    """Judge several claims, three at a time, and keep each in its turn; all is looked at before the first is run.

    What goes wrong with the store after that is said, and the result still given, without the name of a run.
    """
    size = require(size, seed)
    wanted = [(identity, find(identity)) for identity in identities]
    settled = [claim.settle(size, changes).shown() for _, claim in wanted]
    if store is not None:
        store.require_writable()
    bench = bench or Bench()

    def judged(identity: str, claim: Claim, params: Mapping) -> tuple[Result, bool]:
        """The result, and whether it is a new one to keep: what was skipped has no data."""
        known = None if store is None else _known(claim, size, seed, params, store, reuse=reuse, say=say)
        if known is not None:
            return replace(known, id=identity), False
        result = judge(claim, size=size, seed=seed, changes=changes, bench=bench, as_id=identity)
        relieve()
        return result, result.verdict != "skipped"

    # While one claim is traced and compiled, which keeps one core busy, another is run.
    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            for coming in [pool.submit(judged, *one, params) for one, params in zip(wanted, settled, strict=True)]:
                result, new = coming.result()
                yield keep(result, store, say=say) if new and store is not None else result
        except BaseException:
            bench.halt()
            pool.shutdown(cancel_futures=True)
            raise


def _known(
    claim: Claim, size: Size, seed: int, params: Mapping, store: Store, *, reuse: bool, say: Say
) -> Result | None:
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
            return records.revive(store.load(run))
        except StoreFault as fault:
            say(str(fault))
    return None


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

    Sets double precision by itself. A new one is quick and from seed 0, unless told; `resume` computes what is missing of
    an unfinished one. The other options are those of `claims.sweep`: `changes`, `engine`, `yes`, `tell`, `each`, `begun`.
    """
    from .claims import sweep as sweeps

    prepare()
    place = store if isinstance(store, Store) else Store(store)
    if resume is not None:
        return sweeps.resume(resume, place, identity=identity, over=over, size=size, seed=seed, **options)
    size, seed = size or "quick", seed or 0
    return sweeps.begin(str(identity), over, place, size=require(size, seed), seed=seed, **options)


def keep(result: Result, store: Store, *, say: Say, made: Mapping[str, Any] | None = None) -> Result:
    """Store a result; if that fails, say so and give the result all the same."""
    told = records.record(find(result.id), result, made or environment())
    try:
        return result.with_run(store.add(records.dataset(result), told))
    except StoreFault as fault:
        say(str(fault))
        return result


def save(result: Result, folder: str | pathlib.Path) -> Result:
    """Draw a result: PNG and SVG with the numbers beside them as CSV."""
    if result.drawing is None:
        return result
    from .report import figures

    claim = find(result.id)
    draws = result.params.get("trials")
    footer = f"{result.id}, size {result.size}, seed {result.seed}" + (f", {draws} draws" if draws else "")
    try:
        paths = figures.save(
            result.drawing,
            folder,
            result.id.replace("/", "-"),
            title=claim.title,
            verdict=result.verdict,
            footer=footer,
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


def write_job(identity: str, *, size: str, seed: int, changes: Mapping[str, Any], file: pathlib.Path) -> None:
    """Write a claim's simulation as a job for another machine: its own settings and those of its control."""
    from .lab.job import Job
    from .lab.provenance import source

    size = require(size, seed)
    claim = find(identity)
    if claim.kind == "drawing":
        raise BadInput(
            needed="a job holds a simulation", given=f"{identity}, a drawing of a model", cure="Draw it with run."
        )
    settings = claim.settle(size, changes)
    contrast, _ = control_settings(claim, size, settings)
    wanted = [dict(settings.values)] + ([] if contrast.values == settings.values else [dict(contrast.values)])
    job = Job(claim.id, claim.module, size, seed, dict(changes), wanted, source())
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(job.as_json(), encoding="utf-8")
    except OSError as error:
        raise no_place(file, error) from error


def bring_home(file: pathlib.Path, store: Store, *, say: Say) -> Result:
    """Judge and store a simulation that was made on another machine."""
    from .lab import job as jobs

    job, blocks, made = jobs.unpack(file)
    claim = find(job.id)
    simulation, bench = claim.simulation, Bench()
    for settings, runs in zip(job.all_settings(simulation), blocks, strict=True):
        jobs.require_fit(simulation, settings, runs, file)
        bench.learn(simulation, settings, job.seed, runs)
    here = environment()
    if job.source != here["source"]:
        say(
            f"{file} was made by another version of lazyrich ({job.source}) than the one that judges it ({here['source']})"
        )
    store.require_writable()
    changes = {name: tuple(value) if isinstance(value, list) else value for name, value in job.changes.items()}
    result = judge(claim, size=require(job.size, job.seed), seed=job.seed, changes=changes, bench=bench)
    there = {**made["environment"], "elsewhere": {**made, "judged_by": here}}
    whole = replace(result, seconds=made["seconds"] + result.seconds)  # to simulate there, to refer and judge here
    return keep(whole, store, say=say, made=there)


def draw_sweep(run: str, store: Store, folder: str | pathlib.Path, **chosen: Any) -> list[pathlib.Path]:
    """Draw a sweep: curves along one axis or a map over two, PNG and SVG with the numbers beside them as CSV."""
    from .report import maps

    try:
        return maps.save(store.load(run), folder, **chosen)
    except OSError as error:
        raise no_place(folder, error) from error


def story(run: str, store: Store) -> dict[str, Any]:
    """All that is known of a run, and the arrays it holds."""
    data = store.load(run)
    told = {name: value for name, value in data.attrs.items() if name != "drawing"}
    arrays = {
        str(name): {"axes": dict(array.sizes), "dtype": str(array.dtype)} for name, array in data.variables.items()
    }
    path = store.sweeps / told["run"] if told.get("growing") else store.path(told["run"])
    return {**told, "files": [], "arrays": arrays, "store": store.shown, "path": str(path)}


def report(
    store: Store,
    out: str | pathlib.Path,
    *,
    ids: Iterable[str] = (),
    paper: str | None = None,
    results: str | pathlib.Path | None = None,
    force: bool = False,
    tell: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> pathlib.Path:
    """Pages of stored runs, and of the records of paper-size runs in the folder `results`; gives the first page.

    The claims named, those of a paper, or all that were run. An older report is replaced only with `force`.
    """
    from .report import results as kept
    from .report.pages import build, contents, drawn

    folder, known = pathlib.Path(out), results_folder() if results is None else pathlib.Path(results)
    build.require_place(folder, force=force)
    remarks: list[str] = []
    records = {} if known is None else kept.read(known, remarks.append)
    with drawn.helpers(len(store.names())) as pool:
        found = contents.gather(store, ids=list(ids), paper=paper, records=records, images=known, remarks=remarks)
        try:
            return build.build(found, folder, force=force, tell=tell, pool=pool)
        except OSError as error:
            raise no_place(folder, error) from error


def results_folder() -> pathlib.Path | None:
    """The records of paper-size runs that come with a checkout; an installed package has none."""
    from .lab.provenance import PACKAGE

    folder = PACKAGE.parents[1] / "docs" / "results"
    return folder if folder.is_dir() else None


def doctor(store: Store) -> dict[str, Any]:
    """The state of the machine, the cache and the store, with what is missing and how to get it."""
    from .lab import health

    prepare()
    try:
        kept = store.health()
        kept["writable"] = store.writable if store.exists else None
    except StoreFault as fault:
        kept = {"folder": str(store.folder), "exists": True, "trouble": str(fault)}
    needs, cache = health.needs(), health.cache()
    trouble = [f"{one['package']} {one['needed']}: {one['cure']}" for one in needs if not one["ok"]]
    trouble += [f"run {run}: {what}" for run, what in kept.get("damaged", {}).items()]
    trouble += [kept["trouble"]] if "trouble" in kept else []
    if not cache["writable"]:
        trouble.append(
            f"compiled programs cannot be kept in {cache['folder']}: set LAZYRICH_CACHE to a folder of yours"
        )
    return {
        "ok": not trouble,
        "trouble": trouble,
        "machine": health.machine(store.folder),
        "environment": environment(),
        "needs": needs,
        "extras": health.extras(),
        "cache": cache,
        "store": kept,
    }


def document(results: Iterable[Result]) -> dict[str, Any]:
    """Results in the shape that other programs read."""
    told = [result.as_json() for result in results]
    summary = {verdict: sum(one["verdict"] == verdict for one in told) for verdict in VERDICTS}
    return {"results": told, "summary": summary, "environment": environment()}


def select(pattern: str | None, paper: str | None) -> list[Claim]:
    """The claims of a paper, or all, whose id, title or kind holds the pattern."""
    word = (pattern or "").lower()
    return [c for c in every(paper) if word in c.id.lower() or word in c.title.lower() or word == c.kind]


def require(size: str, seed: int) -> Size:
    """The size, unless it or the seed does not exist."""
    if size not in ("smoke", "quick", "paper"):
        raise BadInput(needed="the sizes are quick and paper", given=repr(size), cure="Start with quick.")
    if not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise BadInput(needed="a seed is a whole number from 0 to 2^32 - 1", given=repr(seed), cure="Use 0.")
    return cast(Size, size)
