"""What the catalogue knows of a run without opening it, and what of an address may be shown."""

import re
from collections.abc import Mapping
from typing import Any

# What the catalogue remembers of a record, beside its parameters and readings.
FACTS = (
    "run", "id", "paper", "size", "seed", "verdict", "created", "seconds", "fingerprint", "precision", "commit", "source",
    "claim_source", "devices", "params", "kind",
)  # fmt: skip


def facts(record: Mapping[str, Any]) -> dict[str, Any]:
    """What the catalogue remembers of a record: what it is, its parameters, its readings by key, where it was made."""
    readings = {kind: {r.get("key") or r["name"]: r["value"] for r in record.get(kind, ())} for kind in ("sound", "holds")}
    found = {name: record[name] for name in FACTS if name in record}
    return {**found, **readings}


def masked(address: str) -> str:
    """An address without its passwords, before the host or in the query; a folder stays as it is."""
    if "://" not in address:
        return address
    hidden = re.sub(r"(://[^:/@?]*):.*@", r"\1:***@", address)
    return re.sub(r"([?&;]\w*(?:password|secret|token|key)=)[^&;]*", r"\1***", hidden, flags=re.IGNORECASE)
