"""The commands by name. Nothing heavy is imported before a command needs it: `--help` answers at once."""

import sys
from typing import Annotated

import typer

from ..errors import BadInput, StoreFault
from . import forecasting, judging, keeping, sweeping
from .printing import accept_any_encoding, say

app = typer.Typer(
    help="Check, draw, store and list the claims of four papers on implicit bias and grokking.",
    epilog="Example: lazyrich run lyu2024/figure_1a",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

COMMANDS = (
    ("list", judging.list_claims, "lazyrich list grok"),
    ("run", judging.run, "lazyrich run lyu2024/figure_1a --set weight_decay=2e-3 --out figures"),
    ("check", judging.check, "lazyrich check woodworth2020/theorem_1 woodworth2020/lemma_6"),
    ("sweep", sweeping.sweep, "lazyrich sweep woodworth2020/figure_5_left --over alpha=log:1e-3:0.3:12"),
    ("calibrate", judging.calibrate, "lazyrich calibrate woodworth2020/lemma_6 --seeds 5"),
    ("forecast", forecasting.forecast, "lazyrich forecast misgrokking --set weight_decay=2e-3"),
    ("runs", keeping.runs, "lazyrich runs figure --where \"weight_decay < 1e-2 and verdict == 'holds'\""),
    ("show", keeping.show_run, "lazyrich show latest"),
    ("export", keeping.export, "lazyrich export latest --to run.csv"),
    ("import", keeping.import_run, "lazyrich import job.npz"),
    ("report", keeping.report, "lazyrich report --paper woodworth2020 --out report"),
    ("serve", keeping.serve, "lazyrich serve --port 8321"),
    ("doctor", keeping.doctor, "lazyrich doctor"),
)
for name, command, example in COMMANDS:
    app.command(name, epilog=f"Example: {example}")(command)


@app.callback()
def everywhere(debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False) -> None:
    """Options of every command."""


def main() -> None:
    """The entry point."""
    answer(app, "lazyrich")


def answer(commands: typer.Typer, name: str) -> None:
    """Run the command line: no traceback without --debug, and an exit code that names the kind of error."""
    from ..lab.machine import before_imports
    from ..lab.parsing import take_turns

    before_imports()
    take_turns()
    accept_any_encoding()
    words = [word for word in sys.argv[1:] if word != "--debug"]
    debug = len(words) < len(sys.argv) - 1
    try:
        commands(words, prog_name=name)
    except KeyboardInterrupt:
        say("interrupted")
        sys.exit(130)
    except Exception as error:
        if debug:
            raise
        if not isinstance(error, BadInput | StoreFault):
            error = f"{type(error).__name__}: {error}. This is a bug in lazyrich: the same command with --debug shows where."
        say(str(error))
        sys.exit(2 if isinstance(error, BadInput) else 4)
