"""Where data sets lie: the folder given with --data, or LAZYRICH_DATA."""

import os
import pathlib

from ..errors import BadInput

FOLDER = "LAZYRICH_DATA"

# The files by which a data set is recognized, any one of them; below a folder of its own name or beside the others.
MARKS = {
    "mnist": ("train-images-idx3-ubyte", "train-images-idx3-ubyte.gz"),
    "cifar10": ("data_batch_1.bin", "cifar-10-batches-bin/data_batch_1.bin"),
}


def place(folder: str | os.PathLike) -> None:
    """Look for data sets in this folder from now on, in this process and those it starts."""
    os.environ[FOLDER] = str(pathlib.Path(folder).resolve())


def find(name: str) -> pathlib.Path | None:
    """The folder that holds a data set, or None."""
    root = os.environ.get(FOLDER)
    if not root:
        return None
    for folder in (pathlib.Path(root) / name, pathlib.Path(root)):
        for mark in MARKS[name]:
            if (folder / mark).is_file():
                return (folder / mark).parent
    return None


def why_missing(name: str) -> str | None:
    """Why a data set cannot be read, with what to do; None if it is there."""
    if find(name) is not None:
        return None
    root = os.environ.get(FOLDER)
    looked = f"no {MARKS[name][0]} in {root}" if root else "no folder of data sets was given"
    return f"needs the data set {name}: {looked}; give its folder with --data DIR or {FOLDER}"


def folder(name: str) -> pathlib.Path:
    """The folder that holds a data set, or a refusal."""
    if (found := find(name)) is None:
        looked = os.environ.get(FOLDER)
        raise BadInput(
            needed=f"the data set {name} must lie in a folder that is given ({MARKS[name][0]})",
            given=f"none of it in {looked}" if looked else "no folder of data sets",
            cure=f"Give its folder with --data DIR or {FOLDER}.",
        )
    return found
