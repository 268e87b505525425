"""Which lazyrich a result was made by: the commit where it is known, and a digest of the source in any case."""

import hashlib
import json
import pathlib
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution

PACKAGE = pathlib.Path(__file__).parents[2]


@cache
def source() -> str:
    """A digest of every Python file of the package: equal digests, equal code."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def commit() -> str | None:
    """The commit of the package, with a "+" if its files were changed since; None where nobody knows it."""
    return _from_checkout() or _from_installer()


def _from_checkout() -> str | None:
    root = PACKAGE.parents[1]
    if not (root / ".git").exists() or not (root / "src" / "lazyrich").samefile(PACKAGE):
        return None
    try:
        head = _git(root, "rev-parse", "HEAD")
        return head + ("+" if _git(root, "status", "--porcelain", "--", "src/lazyrich") else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _git(root: pathlib.Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, timeout=10, check=True, stdin=subprocess.DEVNULL
    )
    return done.stdout.strip()


def _from_installer() -> str | None:
    """What pip notes when it installs from a repository."""
    try:
        written = distribution("lazyrich").read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    return json.loads(written).get("vcs_info", {}).get("commit_id") if written else None
