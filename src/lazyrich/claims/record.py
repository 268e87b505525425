"""A result as it is kept: one Dataset of data and references, one plain record; and back."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..lab.provenance import source as provenance
from . import drawing
from .base import Claim, Evidence, Reading
from .judge import Controlled, Result

if TYPE_CHECKING:
    import xarray as xr

# References stand beside the data under names of their own.
THEORY = "theory_"


def dataset(result: Result) -> "xr.Dataset":
    """The data of a result and what theory predicts, as one Dataset."""
    parts = {name: array for name, array in result.data.data_vars.items()}
    for reference, found in result.theory.items():
        each = found.data_vars.items() if hasattr(found, "data_vars") else {"": found}.items()
        parts |= {f"{THEORY}{reference}" + (f"_{name}" if name else ""): array for name, array in each}
    return _joined(parts)


def _joined(parts: Mapping[str, Any]):
    """Arrays in one Dataset; where two use one axis word for different lengths, the later gets a word of its own."""
    import xarray as xr

    sizes: dict[Any, int] = {}
    kept = {}
    for name, array in parts.items():
        clash = {axis: f"{axis}_of_{name}" for axis, size in array.sizes.items() if sizes.get(axis, size) != size}
        array = array.rename(clash)
        sizes |= dict(array.sizes)
        kept[name] = array
    return xr.Dataset(kept)


def record(claim: Claim, result: Result, environment: Mapping[str, Any]) -> dict[str, Any]:
    """All that is to be known of a result beside its arrays, as plain data."""
    return {
        **{name: value for name, value in result.as_json().items() if name not in ("run", "files")},
        "paper": claim.paper,
        "title": claim.title,
        "stated_in": claim.source,
        "command": as_command(claim, result),
        "in_python": as_python(claim, result),
        "fingerprint": fingerprint(claim, result.size, result.seed, result.params, environment),
        "claim_source": claim_source(claim, environment),
        "solver": solver_counts(result.data),
        **environment,
        "drawing": None if result.drawing is None else drawing.as_json(result.drawing),
    }


def of_sweep(
    claim: Claim, identity: str, *, size: str, seed: int, over: Mapping[str, Any], changes: Mapping[str, Any]
) -> dict[str, Any]:
    """What is to be known of a sweep over a claim's simulation beside its grid, as plain data."""
    words = [f"--over {name}={_written(value)}" for name, value in over.items()]
    words += [f"--set {name}={_written(value)}" for name, value in changes.items()]
    return {
        "id": identity,
        "claim": claim.id,
        "paper": claim.paper,
        "title": claim.title,
        "size": size,
        "command": " ".join(["lazyrich sweep", identity, *words, f"--size {size} --seed {seed}"]),
        "over": list(over),
        "claim_source": claim.digest,
        "edges": dict(claim.edges),
    }


def revive(claim: Claim, kept: "xr.Dataset") -> Result:
    """The result that a stored run holds, computed by nobody."""
    known = kept.attrs
    data = kept[[name for name in kept.data_vars if not str(name).startswith(THEORY)]].drop_attrs()
    return Result(
        claim=claim,
        **{name: known[name] for name in ("id", "size", "seed", "params", "verdict", "reason", "seconds", "run")},
        evidence=evidence_of(known),
        controls=[Controlled(control["says"], evidence_of(control)) for control in known["controls"]],
        data=data,
        theory={str(name).removeprefix(THEORY): kept[name] for name in kept.data_vars if name not in data},
        drawing=drawing.from_json(known["drawing"]),
    )


def fingerprint(claim: Claim, size: str, seed: int, params: Mapping[str, Any], environment: Mapping[str, Any]) -> str:
    """What makes two configurations one: claim, parameters, seed, precision and the code that would run."""
    parts = [claim.id, size, seed, params, environment["precision"], environment["source"]]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=list).encode()).hexdigest()[:24]


def claim_source(claim: Claim, environment: Mapping[str, Any]) -> str | None:
    """A digest of the source the claim depends on, as it was where the result was made; None if nobody can tell."""
    made_here = environment["source"] == provenance.source()
    return environment.get("claim_source") or (claim.digest if made_here else None)


def solver_counts(data: Any) -> dict[str, Any]:
    """How many runs a result is made of, how they ended and how many steps they took."""
    counts: dict[str, Any] = {}
    if data is None:
        return counts
    if "outcome" in data:
        codes = data["outcome"].values.ravel().tolist()
        counts |= {"runs": len(codes), "outcomes": {_ending(code): codes.count(code) for code in sorted(set(codes))}}
    if "steps" in data:
        counts |= {"steps": int(data["steps"].sum()), "most_steps": int(data["steps"].max())}
    return counts


def _ending(code: float | int) -> str:
    """How runs with this code ended, in a few words."""
    from ..dynamics import Outcome

    known = code in range(len(Outcome.SENTENCES))
    return re.split("[;:.]", Outcome.SENTENCES[int(code)])[0] if known else f"code {code:g}"


def changed(claim: Claim, result: Result) -> dict[str, Any]:
    """The parameters of a result that are not the usual ones at its size."""
    usual = claim.resolve(result.size).shown()
    return {name: value for name, value in result.params.items() if _plain(value) != _plain(usual[name])}


def as_command(claim: Claim, result: Result) -> str:
    """The command that gives this result again."""
    sets = [f"--set {name}={_written(value)}" for name, value in changed(claim, result).items()]
    return " ".join(["lazyrich run", result.id, f"--size {result.size} --seed {result.seed}", *sets])


def as_python(claim: Claim, result: Result) -> str:
    """The Python line that gives this result again."""
    own = {name: _plain(value) for name, value in changed(claim, result).items()}
    named = {"size": result.size, "seed": result.seed} | own
    return f'lz.check("{result.id}", {", ".join(f"{name}={value!r}" for name, value in named.items())})'


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list | tuple) else value


def _written(value: Any) -> str:
    return ",".join(map(repr, value)) if isinstance(value, list | tuple) else repr(value)


def evidence_of(known: Mapping[str, Any]) -> Evidence:
    """The readings of a record, or of one of its controls."""
    return Evidence(*([Reading.from_json(reading) for reading in known[kind]] for kind in ("sound", "holds")))
