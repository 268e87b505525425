"""What only Linux, or only POSIX, has is used where it is there: without it claims, stores, sweeps and commands work."""

import subprocess
import sys

# asyncio and multiprocessing are of the system that they are on, so they are loaded before the modules are hidden.
HIDDEN = """
import asyncio, concurrent.futures, multiprocessing, multiprocessing.util, os, pathlib, pkgutil, signal, subprocess, sys, tempfile
for module in ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"):
    sys.modules[module] = None
for name in "getloadavg fork getuid geteuid getpgid killpg setsid sched_getaffinity sysconf nice".split():
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGHUP", "SIGUSR1", "SIGALRM", "pthread_sigmask", "setitimer"):
    if hasattr(signal, name):
        delattr(signal, name)
read = pathlib.Path.read_bytes
def elsewhere(path):
    if str(path).startswith("/proc"):
        raise FileNotFoundError(path)
    return read(path)
pathlib.Path.read_bytes = elsewhere
"""
RUN = """
import lazyrich as lz
import lazyrich.lab.sweeps.sweep
import lazyrich.api.doctor

for module in pkgutil.walk_packages(lz.__path__, "lazyrich."):
    if not module.name.startswith(("lazyrich.papers", "lazyrich.__main__")):
        __import__(module.name)
store = sys.argv[1]
result = lz.check("woodworth2020/lemma_6", store=store)
assert result.verdict == "holds" and lz.load("latest", store=store).attrs["verdict"] == "holds"
swept = lz.sweep("woodworth2020/lemma_6", {"eps": [0.1, 0.2]}, store=store)
assert lazyrich.api.doctor.doctor(lz.lab.Store(store))["ok"]
sys.argv = ["lazyrich", "run", "woodworth2020/lemma_6", "--store", store, "--out", store + "/figures"]
from lazyrich.cli import main
main()
"""


def test_without_what_only_linux_has(tmp_path):
    done = subprocess.run([sys.executable, "-c", HIDDEN + RUN, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "figures" / "woodworth2020-lemma_6.png").is_file()
