"""`python docs/hooks/images.py ID...`: run claims at quick size, and keep record and picture of each in docs/images.

For pages that show a claim whose run at paper size is not recorded yet.
"""

import pathlib
import sys
import tempfile

from lazyrich.api.check import check
from lazyrich.claims import find
from lazyrich.errors import BadInput
from lazyrich.lab import Store
from lazyrich.report import records as results

FOLDER = pathlib.Path(__file__).parents[1] / "images"


def main(identities: list[str]) -> None:
    """Each claim in turn, kept as soon as it is judged; all ids are looked at before the first is run."""
    claims = [find(identity) for identity in identities]
    if not claims:
        raise BadInput(needed="the ids of claims to draw", given="none", cure="Run `lazyrich list`.")
    with tempfile.TemporaryDirectory() as place:
        for claim in claims:
            result = check(claim.id, store=place)
            results.write(FOLDER, claim, Store(place).load(str(result.run)).attrs)
            print(claim.id, result.verdict)


if __name__ == "__main__":
    main(sys.argv[1:])
