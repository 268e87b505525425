"""Commands. Nothing heavy is imported before a command needs it: `--help` answers at once."""

import json
import sys
from typing import Annotated, Any

import typer

from ..errors import BadInput
from .progress import watched

app = typer.Typer(
    help="Check, draw and list the claims of four papers on implicit bias and grokking.",
    epilog="Example: lazyrich run lyu2024/figure_1a",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="Claims, as paper/item.")]
SomeIds = Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Claims, as paper/item.")]
Size = Annotated[str, typer.Option(help="quick (seconds on two cores) or paper (the sizes printed in the paper).")]
Seed = Annotated[int, typer.Option(help="Shifts all random draws.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the claim: decay=1e-2, alpha=1,3,10."),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout, nothing else.")]
Paper = Annotated[str | None, typer.Option(help="Only the claims of this paper.")]
Out = Annotated[str, typer.Option(help="The folder for figures.")]
Pattern = Annotated[str | None, typer.Argument(help="Part of an id or title, or a kind.")]


@app.command(name="list", epilog="Example: lazyrich list grok")
def list_claims(pattern: Pattern = None, paper: Paper = None, as_json: Json = False) -> None:
    """List the claims that can be checked."""
    from ..desk import select

    claims = [claim.described() for claim in select(pattern, paper)]
    if as_json:
        _print_json({"claims": claims})
        return
    from ..report import tables

    _show(tables.claims_table(claims))


@app.command(epilog="Example: lazyrich run lyu2024/figure_1a --set decay=2e-3 --out figures")
def run(
    ids: Ids, size: Size = "quick", seed: Seed = 0, sets: Sets = None, out: Out = "figures", as_json: Json = False
) -> None:
    """Compute claims, judge them and draw them."""
    from ..desk import save

    _judge(ids, size=size, seed=seed, sets=sets, as_json=as_json, draw=True, each=lambda result: save(result, out))


@app.command(epilog="Example: lazyrich check --paper woodworth2020")
def check(
    ids: SomeIds = None,
    paper: Paper = None,
    everything: Annotated[bool, typer.Option("--all", help="Every claim, each once.")] = False,
    size: Size = "quick",
    seed: Seed = 0,
    sets: Sets = None,
    as_json: Json = False,
) -> None:
    """Judge claims and draw none."""
    from ..desk import select

    chosen = [*(ids or ()), *(claim.id for claim in (select(None, paper) if paper or everything else ()))]
    if not chosen:
        raise BadInput(
            needed="check needs ids, --paper or --all", given="none of them", cure="Try: lazyrich check --all"
        )
    _judge(chosen, size=size, seed=seed, sets=sets, as_json=as_json, draw=False, each=lambda result: result)


@app.command(epilog="Example: lazyrich calibrate woodworth2020/theorem_1 --seeds 5")
def calibrate(
    identity: Annotated[str, typer.Argument(metavar="ID", help="A claim, as paper/item.")],
    seeds: Annotated[int, typer.Option(min=2, help="How many seeds, from 0.")] = 20,
    size: Size = "quick",
    as_json: Json = False,
) -> None:
    """Read a claim and its control over many seeds, beside their bounds."""
    from ..claims.calibrate import calibrate as over_seeds
    from ..desk import find, prepare, require

    prepare()
    require(size, 0)
    claim = find(identity)
    with watched(f"calibrating {identity}") as tell:
        rows = over_seeds(claim, seeds=seeds, size=size, tell=lambda done: tell("seeds", done, seeds))  # pyright: ignore
    if as_json:
        _print_json({"id": identity, "size": size, "seeds": seeds, "readings": rows})
        return
    from ..report import tables

    _show(tables.calibration_table(rows, title=f"{identity}, {seeds} seeds, size {size}"))


def _judge(ids, *, size, seed, sets, as_json, draw, each) -> None:
    from ..desk import check_many, document, prepare
    from ..lab import Bench
    from ..lab.grammar import assignments

    prepare()
    changes = assignments(sets or ())
    results = []
    with watched("checking") as tell:
        for result in check_many(ids, size=size, seed=seed, changes=changes, bench=Bench(tell), draw=draw):
            results.append(each(result))
    told = document(results)
    if as_json:
        _print_json(told)
    else:
        from ..report import tables

        _show(tables.verdict_table(told["results"]))
        if len(results) > 1:
            print(*(file for result in results for file in result.files), sep="\n")
    raise typer.Exit(1 if told["summary"]["fails"] else 3 if told["summary"]["inconclusive"] else 0)


def _show(table: Any) -> None:
    from rich.console import Console

    Console().print(table)


def _print_json(document: Any) -> None:
    print(json.dumps(document, indent=1, allow_nan=False))


def main() -> None:
    """The entry point: refusals in one sentence with exit code 2, interruption with 130."""
    from ..lab.machine import before_imports

    before_imports()
    try:
        app()
    except BadInput as refusal:
        print(f"lazyrich: {refusal}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("lazyrich: interrupted", file=sys.stderr)
        sys.exit(130)
