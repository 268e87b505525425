"""`python -m lazyrich.cli.results [ID]...`, which `make results` calls: records of runs at the paper's size."""

import pathlib
import signal
from typing import Annotated

import typer

from ..errors import BadInput, StoreFault
from . import options as o
from .app import answer
from .judging import use_data
from .printing import say, show
from .progress import watched

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]})


@app.command(epilog='Example: make results IDS="woodworth2020/lemma_5 woodworth2020/lemma_6"')
def results(
    ids: o.SomeIds = None,
    paper: o.Paper = None,
    to: Annotated[pathlib.Path, typer.Option(metavar="DIR", help="The folder of records.")] = pathlib.Path("docs/results"),
    seed: o.Seed = 0,
    most: Annotated[float | None, typer.Option(metavar="SECONDS", help="Leave out what is known to take longer.")] = None,
    again: Annotated[bool, typer.Option("--again", help="Also what is up to date, from no run that other code made.")] = False,
    from_store: Annotated[bool, typer.Option("--from-store", help="Run nothing: take what is stored.")] = False,
    jobs: Annotated[
        pathlib.Path | None, typer.Option(metavar="DIR", help="Run nothing: write jobs for another machine here.")
    ] = None,
    bring: Annotated[
        pathlib.Path | None, typer.Option(metavar="DIR", help="Run nothing: take the .npz files of such jobs.")
    ] = None,
    data: o.Data = None,
    store: o.Where = None,
) -> None:
    """Make the records of claims at the paper's size that are missing or stale: all, those of a paper, or those named."""
    from ..api.check import require, require_place
    from ..api.records import SIZE, Recorder, Way, due
    from ..lab import Store
    from ..lab.machine import prepare

    if sum((from_store, jobs is not None, bring is not None)) > 1:
        raise BadInput(needed="one of --from-store, --jobs and --bring", given="more than one", cure="Call it once for each.")
    require(SIZE, seed)
    use_data(data)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    prepare()
    require_place(to)
    wanted = due(ids or (), paper, to, again=again, most=most, say=say, show=show)
    recorder = Recorder(Store(store), to, seed, again, say=say, show=show, watch=watched)
    way: Way = recorder.run
    if from_store:
        way = recorder.any_stored
    elif jobs is not None:
        way = recorder.job_in(jobs)
    elif bring is not None:
        way = recorder.brought_from(bring)
    made = lost = 0
    for number, claim in enumerate(wanted, 1):
        try:
            made += recorder.record(claim, way, f"{number} of {len(wanted)}")
        except Exception as fault:  # one claim that fails does not stop the others
            word = "" if isinstance(fault, BadInput | StoreFault) else f"{type(fault).__name__}: "
            say(f"{claim.id} has no record: {word}{fault}")
            lost += 1
        except KeyboardInterrupt:
            say(f"interrupted at {claim.id}; what is done is kept: the same command continues from there")
            raise typer.Exit(130) from None
    show(f"{made} of {len(wanted)} records made in {to}")
    raise typer.Exit(4 if lost else 0)


if __name__ == "__main__":
    answer(app, "make results")
