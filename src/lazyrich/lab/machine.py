"""The machine: double precision, a compilation cache on disk, and the provenance of a result."""

import os
import pathlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from .provenance.source import commit, source

PACKAGES = ("lazyrich", "jax", "jaxlib", "equinox", "diffrax", "optax", "numpy", "scipy", "scikit-learn", "xarray", "zarr")


def before_imports() -> None:
    """Set what must stand before JAX and equinox are imported.

    Equinox's run-time checks would stop JAX from caching programs on disk; failures travel in outcomes.
    """
    os.environ.setdefault("EQX_ON_ERROR", "nan")


def prepare() -> None:
    """Turn on double precision, keep compiled programs on disk for the next process, and pin linear algebra to one thread."""
    before_imports()
    pin_blas()
    import jax

    jax.config.update("jax_enable_x64", True)
    if not jax.config.jax_compilation_cache_dir:  # pyright: ignore[reportAttributeAccessIssue]
        jax.config.update("jax_compilation_cache_dir", str(cache_folder()))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


@cache
def pin_blas() -> None:
    """One thread for BLAS from here on, unless the environment says how many.

    Trials run beside each other already, and their matrices are small: threads that wait for each other on a busy machine
    make a path of least-entropy interpolants take thirty times as long.
    """
    import scipy.linalg  # noqa: F401  (brings a BLAS of its own, which is to be pinned too)

    try:
        from threadpoolctl import threadpool_limits
    except ModuleNotFoundError:  # a machine that only runs jobs may be without
        return
    if not any(name in os.environ for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")):
        threadpool_limits(limits=1, user_api="blas")


def relieve(most: float = 0.5) -> bool:
    """Free all compiled programs once this process has used that share of the memory mappings it may have; whether it did.

    A program takes four pieces or more. Linux allows some 65,000, and beyond them the compiler crashes; what is still needed
    comes back from the cache on disk.
    """
    import jax

    try:
        limit = int(pathlib.Path("/proc/sys/vm/max_map_count").read_text())
        taken = pathlib.Path("/proc/self/maps").read_bytes().count(b"\n")
    except OSError:  # not Linux, which has another limit or none
        return False
    if taken < most * limit:
        return False
    jax.clear_caches()
    return True


def cache_folder() -> pathlib.Path:
    """Where compiled programs are kept: `LAZYRICH_CACHE`, or lazyrich in the user's cache folder."""
    if given := os.environ.get("LAZYRICH_CACHE"):
        return pathlib.Path(given)
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "lazyrich" / "programs"


def environment() -> dict[str, Any]:
    """Versions, source, platform, devices, precision and load: what a result was made with."""
    import jax

    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": {name: _version(name) for name in PACKAGES},
        "commit": commit(),
        "source": source(),
        "devices": [str(device) for device in jax.devices()],
        "device": jax.devices()[0].device_kind,
        "precision": "float64" if jax.config.jax_enable_x64 else "float32",  # pyright: ignore[reportAttributeAccessIssue]
        "cores": os.cpu_count(),
        "load": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
