"""A simulation to be made on another machine: what to run, in one JSON file; what came of it, in one .npz.

Only numpy is needed to read and write either. Nothing is ever unpickled.
"""

import contextlib
import hashlib
import importlib
import json
import os
import pathlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, get_args

import numpy as np

from ...errors import BadInput
from ..params import Params, Size
from ..simulation import Simulation

FORMAT = 1
HOME = "lazyrich.papers."

# What each entry of a job file must be; the values themselves are admitted by the simulation's parameters.
_FITS: dict[str, Callable[[Any], bool]] = {
    "id": lambda value: isinstance(value, str),
    "simulation": lambda value: isinstance(value, str) and value.startswith(HOME),
    "size": lambda value: value in get_args(Size),
    "seed": lambda value: type(value) is int and 0 <= value < 2**32,
    "changes": lambda value: isinstance(value, Mapping),
    "params": lambda value: isinstance(value, list) and len(value) > 0 and all(isinstance(one, Mapping) for one in value),
    "source": lambda value: isinstance(value, str),
}


@dataclass(frozen=True)
class Job:
    """A claim's simulation at the parameters of the claim and of its controls.

    `simulation` is the module whose `CLAIM`, or one of whose `CLAIMS`, holds it; `params` are settled values, formulas and axes
    included.
    """

    id: str
    simulation: str
    size: str
    seed: int
    changes: Mapping[str, Any]
    params: Sequence[Mapping[str, Any]]
    source: str
    format: int = FORMAT

    def as_json(self) -> str:
        """The job file."""
        return json.dumps({"job": asdict(self)}, indent=1, sort_keys=True, allow_nan=False)

    @classmethod
    def from_json(cls, text: str, origin: str) -> "Job":
        """The job in a file, or a refusal that says what is wrong with the file."""
        try:
            found = json.loads(text)["job"]
            if found["format"] > FORMAT:
                raise _not_a_job(origin, f"format {found['format']}, made by a newer lazyrich")
            job = cls(**found)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            if isinstance(error, BadInput):
                raise
            raise _not_a_job(origin, f"{type(error).__name__}: {error}") from error
        for name, fits in _FITS.items():
            if not fits(getattr(job, name)):
                raise _not_a_job(origin, f"the {name} {getattr(job, name)!r}")
        return job

    def claim(self) -> Any:
        """The claim itself; only modules of lazyrich's own claims are ever imported."""
        try:
            held = importlib.import_module(self.simulation)
            claims = getattr(held, "CLAIMS", None) or (held.CLAIM,)
            return next(claim for claim in claims if claim.id == self.id)
        except (ImportError, AttributeError, StopIteration) as error:
            if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("lazyrich"):
                raise BadInput(
                    needed="a job needs numpy, scipy, jax, equinox, diffrax and optax where it is run",
                    given=f"a Python without {error.name}",
                    cure=f"pip install {(error.name or '').partition('.')[0]}",
                ) from error
            raise _not_a_job(self.id, f"the simulation {self.simulation!r} ({error})") from error

    def all_params(self, simulation: Simulation) -> list[Params]:
        """The params of the claim and of its control, refused if a value is not one of the simulation's."""
        return [Params.of(simulation.params, "quick", changes=_tuples(values)) for values in self.params]


def pack(path: pathlib.Path, job: Job, blocks: Sequence[Sequence[dict | None]], made: Mapping[str, Any]) -> None:
    """Write what is known of a job's runs: for each of its params the arrays of all runs, stacked by name.

    What begins with a dot is no array of a simulation.
    """
    arrays: dict[str, np.ndarray] = {}
    for at, runs in enumerate(blocks):
        done = [number for number, run in enumerate(runs) if run is not None]
        arrays[f"{at}/.done"] = np.array(done, dtype=np.int64)
        arrays[f"{at}/.total"] = np.array(len(runs))
        known = [run for run in runs if run is not None]
        for name in known[0] if known else ():
            arrays[f"{at}/{name}"] = np.stack([run[name] for run in known])
    arrays |= {"job": np.array(job.as_json()), "made": np.array(json.dumps(made, allow_nan=False))}
    arrays["digest"] = np.array(digest(arrays))
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with fresh.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)
        fresh.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


def unpack(path: pathlib.Path) -> tuple[Job, list[list[dict | None]], dict[str, Any]]:
    """The job, its runs (None where not done) and how they were made; anything else than such a file is refused."""
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except FileNotFoundError:
        raise _not_ours(path, "no such file") from None
    except Exception as error:  # a file from elsewhere can be broken in any way
        raise _not_ours(path, _why(error)) from error
    if not {"job", "made", "digest"} <= set(arrays):
        raise _not_ours(path, f"arrays named {', '.join(sorted(arrays)[:4]) or 'nothing'}")
    if str(arrays["digest"]) != digest(arrays):
        raise _not_ours(path, "numbers that are not those that were written")
    job = Job.from_json(str(arrays["job"]), str(path))
    blocks = [_block(arrays, at, path) for at in range(len(job.params))]
    return job, blocks, json.loads(str(arrays["made"]))


def _block(arrays: Mapping[str, np.ndarray], at: int, path: pathlib.Path) -> list[dict | None]:
    own = {name.partition("/")[2]: array for name, array in arrays.items() if name.startswith(f"{at}/")}
    if ".done" not in own or ".total" not in own:
        raise _not_ours(path, f"nothing for the params number {at}")
    done, total = own.pop(".done"), int(own.pop(".total"))
    runs: list[dict | None] = [None] * total
    for place, number in enumerate(done.tolist()):
        runs[number] = {name: array[place] for name, array in own.items()}
    return runs


def require_fit(simulation: Simulation, params: Params, runs: Sequence[dict | None], path: pathlib.Path) -> None:
    """Refuse runs that are not this simulation's: other names, other axes, too few."""
    expected = len(params.points(simulation.wants)) * (simulation.trials(params) or 1)
    if len(runs) != expected or any(run is None for run in runs):
        missing = expected - sum(run is not None for run in runs)
        raise _not_ours(path, f"{missing} of {expected} runs missing; run the job again with the same --out to go on")
    axes = {name: len(words.split()) for name, words in simulation.returns.items()}
    for run in runs:
        found = {name: array.ndim for name, array in (run or {}).items()}
        if found != axes:
            odd = sorted(set(found.items()) ^ set(axes.items()))
            raise _not_ours(path, f"arrays of another claim ({', '.join(sorted({name for name, _ in odd}))})")


def digest(arrays: Mapping[str, np.ndarray]) -> str:
    """A digest of arrays by name, one named digest left out."""
    found = hashlib.sha256()
    for name in sorted(set(arrays) - {"digest"}):
        array = np.ascontiguousarray(arrays[name])
        found.update(f"{name} {array.dtype.str} {array.shape}".encode() + array.tobytes())
    return found.hexdigest()


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def _why(error: Exception) -> str:
    if "allow_pickle" in str(error) or "pickled" in str(error):
        return "pickled objects, which are never opened"
    return f"a file that is cut short or no .npz ({type(error).__name__})"


def _not_a_job(origin: str, given: str) -> BadInput:
    return BadInput(
        needed="a job is what `lazyrich run ID --job FILE.json` writes",
        given=f"{origin}: {given}",
        cure="Write it again with the lazyrich that is to run it.",
    )


def _not_ours(path: pathlib.Path, given: str) -> BadInput:
    return BadInput(
        needed="import takes the .npz that `python -m lazyrich.lab.jobs.remote JOB.json --out FILE.npz` wrote",
        given=f"{path}: {given}",
        cure="Bring the file again, or run the job again.",
    )
