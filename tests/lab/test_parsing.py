"""Syntax trees that several threads ask for at once."""

import gc
import inspect
import operator
import subprocess
import sys
import threading

from lazyrich.lab import parsing

TEXT = "\n".join(f"def f{k}(x):\n    return [[x + {k}], (x, {{x: x ** 2}})]" for k in range(50))


def test_a_users_process_keeps_its_own_parser():
    """`lz.check` prepares the machine and leaves `ast.parse` alone; the commands take turns where Python needs it."""
    code = (
        "import ast; plain = ast.parse; import lazyrich as lz; lz.check('woodworth2020/figure_9'); assert ast.parse is plain; "
        "from lazyrich.lab import parsing, Runner; print(Runner()._threads, parsing.threads_may_trace())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "True"] if not parsing._ONE_AT_A_TIME else ["1", "False"]


def test_threads_that_parse_at_once_do_not_disturb_each_other():
    """Without turns this fails on Python 3.11: the collector's callback lets another thread in."""
    parsing.take_turns()
    faults = []

    def parse(depth):
        if depth:
            return parse(depth - 1)
        for _ in range(20):
            try:
                parsing.program(TEXT)
                parsing.expression("1 + f(2)")
                inspect.signature(operator.mul)  # as JAX does for what it traces
            except SystemError as fault:
                faults.append(fault)

    def give_way(phase, info):
        for _ in range(5):
            pass

    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(5)
    gc.callbacks.append(give_way)
    try:
        threads = [threading.Thread(target=parse, args=(20 * k,)) for k in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.callbacks.remove(give_way)
        gc.set_threshold(*threshold)
        sys.setswitchinterval(interval)
    assert not faults
