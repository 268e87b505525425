"""Options that several commands share."""

import pathlib
from typing import Annotated

import typer

from .completion import claims, names, papers, runs, sizes

Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="Claims, as paper/item or paper/*.", autocompletion=claims)]
SomeIds = Annotated[
    list[str] | None, typer.Argument(metavar="[ID]...", help="Claims, as paper/item or paper/*.", autocompletion=claims)
]
Id = Annotated[str, typer.Argument(metavar="ID", help="A claim, as paper/item.", autocompletion=claims)]
Size = Annotated[
    str, typer.Option(help="quick (seconds on two cores) or paper (the sizes printed in the paper).", autocompletion=sizes)
]
Seed = Annotated[int, typer.Option(help="Shifts all random draws.")]
Sets = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="A parameter of the claim: weight_decay=1e-2, alpha=1,3,10.", autocompletion=names
    ),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout, nothing else.")]
Paper = Annotated[str | None, typer.Option(help="Only the claims of this paper.", autocompletion=papers)]
Out = Annotated[str, typer.Option(help="The folder for figures.")]
Pattern = Annotated[str | None, typer.Argument(help="Part of an id or title, or a kind.")]
Where = Annotated[
    str | None,
    typer.Option(
        metavar="WHERE",
        help="The folder of stored runs, or postgresql://... of their catalogue [default: LAZYRICH_STORE or ./lazyrich-runs].",
    ),
]
Reuse = Annotated[bool, typer.Option("--reuse", help="Take what the store has of the same claim, parameters, seed and code.")]
Run = Annotated[str, typer.Argument(metavar="RUN", help="A run's name, the end of it, or latest.", autocompletion=runs)]
Data = Annotated[pathlib.Path | None, typer.Option(metavar="DIR", help="The folder of data sets, for the claims that need one.")]
