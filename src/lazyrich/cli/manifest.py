"""`python -m lazyrich.cli.manifest`, which `make manifest` calls: write down what the claims say of themselves."""

import pathlib

from ..claims import every, manifest
from ..lab.provenance.source import PACKAGE

PLACE = PACKAGE / "papers" / manifest.FILE


def main(place: pathlib.Path = PLACE) -> None:
    """Describe every claim, from the claims themselves."""
    place.write_text(manifest.written(claim.described() for claim in every()), encoding="utf-8")


if __name__ == "__main__":
    main()
