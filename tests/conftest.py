"""What holds for every test: double precision, checked shapes, fixed examples, a warm compilation cache."""

import os
import sys
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # two test processes share the cores: for the processes that tests start,
os.environ.pop("EQX_ON_ERROR", None)  # the commands turn run-time checks off; here they must raise

import hypothesis
import jax
import jaxtyping
import threadpoolctl

threadpoolctl.threadpool_limits(limits=1, user_api="blas")  # and for this one, where a plugin brought numpy before
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_compilation_cache_dir", str(Path(__file__).parent.parent / ".pytest_cache" / "xla"))
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)

# derandomize: the same examples on every run and every machine, so a failure is never a matter of luck.
hypothesis.settings.register_profile("lazyrich", deadline=None, derandomize=True, max_examples=30)
hypothesis.settings.load_profile("lazyrich")

if "lazyrich" in sys.modules:
    raise RuntimeError("The shape checks need to see lazyrich imported; got it imported already. Import it after conftest.")
jaxtyping.install_import_hook("lazyrich", "beartype.beartype")

from lazyrich.lab.parsing import take_turns  # noqa: E402  (not before the hook)

take_turns()  # tests run in a process of ours


def pytest_runtest_teardown(item, nextitem):
    """Let go of compiled programs after each file: they take gigabytes, and too many for one process crash the compiler.

    What a later file needs again comes from the cache on disk.
    """
    from lazyrich.lab.machine import relieve

    if nextitem is None or nextitem.path != item.path:
        jax.clear_caches()
    else:
        relieve()
