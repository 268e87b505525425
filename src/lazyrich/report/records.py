"""Results of runs at the paper's size: one record a claim, in a committed folder, with a small figure beside it.

A record is made from a stored run, by any machine, and names the source that it depends on. When that source has changed
since, the record is stale, and due to be made again.
"""

import json
import os
import pathlib
import re
import secrets
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, cast, get_args, get_type_hints

from ..claims import Claim, Reading, find
from ..claims import drawing as drawings
from ..claims.base import Verdict
from ..errors import BadInput
from ..lab.params import Size

WIDTH, MOST = 720, 80_000  # pixels and bytes of a figure
MACHINE = ("device", "cores", "python", "jax", "platform")
# No number depends on the build of a kernel.
_KERNEL = re.compile(r"^(Linux)-.*-(\w+-with-)")

Say = Callable[[str], None]


@dataclass(frozen=True)
class Record:
    """The result of a claim at the paper's size, in the order in which it is written."""

    id: str
    title: str
    kind: str
    size: str
    seed: int
    command: str
    date: str
    commit: str | None
    source: str
    machine: dict
    seconds: int | float
    params: dict
    verdict: str
    reason: str
    sound: list
    holds: list
    controls: list
    caption: str | None
    image: str | None

    @property
    def stale(self) -> bool:
        """Whether the source that the claim depends on, or its parameters, changed since, or the claim is gone."""
        try:
            claim = find(self.id)
            now = claim.resolve(cast(Size, self.size)).shown()
        except BadInput:
            return True
        return self.source != claim.digest or self.params != _as_read(now)


def _as_read(value: Any) -> Any:
    """A value as it is read again from a record."""
    return json.loads(json.dumps(value))


def stem(identity: str) -> str:
    """The name of a claim's files, without their endings."""
    return identity.replace("/", "-")


def of(claim: Claim, attributes: Mapping[str, Any]) -> Record:
    """The record of a stored run, from the attributes of the run."""
    judge = attributes.get("elsewhere", {}).get("judged_by", attributes)
    commit = judge["commit"] if judge["source"] == attributes["source"] else None
    drawn = attributes["drawing"]
    where = {"device": attributes["devices"][0], **attributes, "jax": attributes["packages"]["jax"]}
    where["platform"] = _KERNEL.sub(r"\1-\2", attributes["platform"])
    return Record(
        id=claim.id,
        title=claim.title,
        kind=claim.kind,
        size=attributes["size"],
        seed=attributes["seed"],
        command=attributes["command"],
        date=attributes["created"][:10],
        commit=commit or attributes["commit"],  # a copy of the same source may stand in a checkout of another commit
        source=attributes.get("claim_source") or attributes["source"],
        machine={name: where[name] for name in MACHINE},
        **{name: attributes[name] for name in ("seconds", "params", "verdict", "reason", "sound", "holds", "controls")},
        caption=drawn["caption"] or None if drawn else None,
        image=f"{stem(claim.id)}.png" if drawn else None,
    )


def write(folder: pathlib.Path, claim: Claim, attributes: Mapping[str, Any]) -> Record:
    """Put the record of a stored run, and its figure, in a folder: each file whole or not at all, the record last."""
    record = of(claim, attributes)
    folder.mkdir(parents=True, exist_ok=True)
    if record.image is not None:
        from .figures import small

        _replace(folder / record.image, small(drawings.from_json(attributes["drawing"]), WIDTH, MOST))
    text = json.dumps(asdict(record), indent=1, ensure_ascii=False, allow_nan=False)
    _replace(folder / f"{stem(record.id)}.json", f"{text}\n".encode())
    return record


def read(folder: str | os.PathLike, say: Say = warnings.warn) -> dict[str, Record]:
    """Every record of a folder by its claim's id; a broken file, or a figure that is not there, is named and left out."""
    found = {}
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        try:
            record = parse(path)
        except (OSError, ValueError) as error:
            say(f"{path} is no record of a result: {error}")
            continue
        if record.image is not None and not (path.parent / record.image).is_file():
            say(f"{path} names a figure that is not there: {record.image}")
            record = replace(record, image=None)
        found[record.id] = record
    return found


def parse(path: pathlib.Path) -> Record:
    """The record that a file holds, or a ValueError that says what is wrong with it."""
    found = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(found, dict) and isinstance(found.get("control"), dict):  # as they were written before November 2026
        found = {("controls" if name == "control" else name): one for name, one in found.items()}
        found["controls"] = [found["controls"]]
    wanted = get_type_hints(Record)
    if not isinstance(found, dict) or set(found) != set(wanted):
        odd = set(wanted).symmetric_difference(found if isinstance(found, dict) else ())
        raise ValueError(f"it lacks entries or has others ({', '.join(sorted(odd))})")
    if odd := [name for name, kind in wanted.items() if not isinstance(found[name], kind)]:
        raise ValueError(f"its {odd[0]} is {found[odd[0]]!r}")
    if path.stem != stem(found["id"]) or found["image"] not in (None, f"{path.stem}.png"):
        raise ValueError(f"it is named as another claim or figure ({found['id']}, {found['image']})")
    try:
        parts = [found, *found["controls"]]
        readings = [one for part in parts for kind in ("sound", "holds") for one in part[kind]]
        for reading in readings:
            Reading.from_json(reading)
        known = {part["verdict"] for part in parts} <= set(get_args(Verdict))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"its readings cannot be read ({type(error).__name__}: {error})") from error
    if not known or not set(MACHINE) <= set(found["machine"]):
        raise ValueError("it does not say its verdict, or where it was made")
    return Record(**found)


def _replace(path: pathlib.Path, content: bytes) -> None:
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
