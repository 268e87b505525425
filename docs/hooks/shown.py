"""What there is to show of each claim: its record at paper size, and the best picture there is."""

import logging
import pathlib
from typing import NamedTuple

from lazyrich.claims import Claim, every
from lazyrich.report import records as results

LOG = logging.getLogger("mkdocs.hooks")


class Picture(NamedTuple):
    """A picture's path inside docs, with the record it belongs to."""

    path: str
    record: results.Record

    @property
    def drawn(self) -> str:
        """How it was made."""
        return f"{self.record.size} size, seed {self.record.seed}"


class Shown(NamedTuple):
    """A claim with its record at paper size and its picture, where they are kept."""

    claim: Claim
    record: results.Record | None
    picture: Picture | None

    @property
    def anchor(self) -> str:
        """The name it has inside a page."""
        return results.stem(self.claim.id)


def gather(docs: pathlib.Path) -> list[Shown]:
    """Every claim in the order of the papers: the picture of its run at paper size, else one of quick size.

    A record that cannot be read is a warning, and the site is strict.
    """
    kept = {folder: results.read(docs / folder, say=LOG.warning) for folder in ("results", "images")}

    def picture(claim: Claim) -> Picture | None:
        found = ((folder, records.get(claim.id)) for folder, records in kept.items())
        return next((Picture(f"{folder}/{one.image}", one) for folder, one in found if one and one.image), None)

    return [Shown(claim, kept["results"].get(claim.id), picture(claim)) for claim in every()]
