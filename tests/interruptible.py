"""The command line in a process that can be interrupted."""

import sys

_LISTEN = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); import lazyrich.cli as c; c.main()"
# A process that was started in the background may have been made to ignore Ctrl-C, and its children after it: this one listens.
LAZYRICH = (sys.executable, "-c", _LISTEN)
