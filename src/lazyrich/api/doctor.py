"""Whether this machine has what lazyrich needs and may use, and how to get what is missing."""

import os
import pathlib
import platform
import shutil
import sys
from importlib.metadata import PackageNotFoundError, metadata, version
from typing import Any

from ..errors import StoreFault
from ..lab import Store
from ..lab.machine import cache_folder, environment, prepare
from ..lab.optional_packages import install, is_there

# What each extra is for, and a module by which it is known to be there.
EXTRAS = {
    "web": ("starlette", "the page: lazyrich serve"),
    "cluster": ("distributed", "sweeps over many processes and machines"),
    "cuda12": ("jax_cuda12_plugin", "computing on a GPU with CUDA 12"),
    "cuda13": ("jax_cuda13_plugin", "computing on a GPU with CUDA 13"),
    "docs": ("mkdocs", "building the documentation"),
    "dev": ("pytest", "running the tests"),
    "parquet": ("pyarrow", "exports as .parquet"),
    "bench": ("torch", "timing PyTorch beside lazyrich"),
    "torch": ("torch", "models made of PyTorch modules, for their tests"),
}


def doctor(store: Store) -> dict[str, Any]:
    """The state of the machine, the cache and the store, with what is missing and how to get it."""
    prepare()
    try:
        kept = store.health()
        kept["writable"] = store.writable if store.exists else None
    except StoreFault as fault:
        kept = {"folder": str(store.folder), "exists": True, "trouble": str(fault)}
    packages, programs = needs(), cache()
    trouble = [f"{one['package']} {one['needed']}: {one['cure']}" for one in packages if not one["ok"]]
    trouble += [f"run {run}: {what}" for run, what in kept.get("damaged", {}).items()]
    trouble += [kept["trouble"]] if "trouble" in kept else []
    if not programs["writable"]:
        trouble.append(f"compiled programs cannot be kept in {programs['folder']}: set LAZYRICH_CACHE to a folder of yours")
    return {
        "ok": not trouble,
        "trouble": trouble,
        "machine": machine(store.folder),
        "environment": environment(),
        "needs": packages,
        "extras": extras(),
        "cache": programs,
        "store": kept,
    }


def needs() -> list[dict[str, Any]]:
    """Every package that lazyrich needs, with its version or how to get it."""
    from packaging.requirements import Requirement

    try:
        listed = metadata("lazyrich").get_all("Requires-Dist") or []
    except PackageNotFoundError:
        listed = []
    wanted = [Requirement(text) for text in listed]
    return [_need(one) for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})]


def _need(wanted: Any) -> dict[str, Any]:
    try:
        found = version(wanted.name)
    except PackageNotFoundError:
        found = None
    fits = found is not None and wanted.specifier.contains(found, prereleases=True)
    cure = None if fits else f"pip install '{wanted.name}{wanted.specifier}'"
    return {"package": wanted.name, "version": found, "needed": str(wanted.specifier), "ok": fits, "cure": cure}


def extras() -> list[dict[str, Any]]:
    """The extras: which are there, what they are for, how to get the others."""
    rows = []
    for name, (module, use) in EXTRAS.items():
        there = is_there(module)
        rows.append({"extra": name, "for": use, "there": there, "cure": None if there else install(name)})
    return rows


def cache() -> dict[str, Any]:
    """The folder of compiled programs: where, how many, how large, whether it can be written to."""
    folder = cache_folder()
    files = [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    return {
        "folder": str(folder),
        "programs": sum(path.name.endswith("-cache") for path in files),
        "megabytes": round(sum(path.stat().st_size for path in files) / 1e6, 1),
        "writable": os.access(nearest, os.W_OK),
    }


def machine(place: pathlib.Path) -> dict[str, Any]:
    """Python, cores, memory, and the room left on the disk of a place."""
    nearest = next(path for path in (place, *place.parents) if path.exists())
    return {
        "python": platform.python_version(),
        "executable": sys.executable,
        "cores": os.cpu_count(),
        "memory_gigabytes": _memory(),
        "disk_free_gigabytes": round(shutil.disk_usage(nearest).free / 1e9, 1),
    }


def _memory() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1)
    except (ValueError, OSError, AttributeError):
        return None
