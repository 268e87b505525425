"""What the claims of a package say of themselves, in a file beside it: to list them imports none."""

import importlib.resources
import json
from collections.abc import Iterable
from functools import cache
from typing import Any

FILE = "manifest.json"


@cache
def read(package: str) -> dict[str, dict[str, Any]]:
    """The descriptions by id; none where no manifest was written, or one that is not whole."""
    try:
        text = importlib.resources.files(package).joinpath(FILE).read_text(encoding="utf-8")
        return {one["id"]: one for one in json.loads(text)["claims"]}
    except (OSError, ValueError, LookupError, TypeError):
        return {}


def written(descriptions: Iterable[dict[str, Any]]) -> str:
    """The text of a manifest: a line a claim, so that a change shows as that claim's."""
    lines = ",\n".join(json.dumps(one, ensure_ascii=False, allow_nan=False) for one in descriptions)
    return f'{{"claims": [\n{lines}\n]}}\n'
