"""`python docs/hooks/images.py ID...`: run claims at quick size, and keep record and picture of each in docs/images.

For pages that show a claim whose run at paper size is not recorded yet.
"""

import pathlib
import sys
import tempfile

from lazyrich import desk
from lazyrich.claims import find
from lazyrich.lab import Store
from lazyrich.report import results

FOLDER = pathlib.Path(__file__).parents[1] / "images"


def main(identities: list[str]) -> None:
    """Each claim in turn, kept as soon as it is judged."""
    with tempfile.TemporaryDirectory() as place:
        for identity in identities:
            result = desk.check(identity, store=place)
            results.write(FOLDER, find(identity), Store(place).load(str(result.run)).attrs)
            print(identity, result.verdict)


if __name__ == "__main__":
    main(sys.argv[1:])
