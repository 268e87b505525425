"""The catalogue of a store: one row for each run, so that runs are found without opening them."""

import json
import pathlib
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import event, exc

from ..errors import StoreFault

VERSION = 1
# How long a writer waits for another one, in seconds.
PATIENCE = 60
READINGS = ("sound", "holds")

_tables = sa.MetaData()
RUNS = sa.Table(
    "runs",
    _tables,
    sa.Column("run", sa.String, primary_key=True),
    sa.Column("fingerprint", sa.String, index=True),
    sa.Column("created", sa.String, index=True),
    sa.Column("facts", sa.Text),  # JSON: what is listed, and what most questions are about
    sa.Column("readings", sa.Text),  # JSON: long, and parsed only for questions about them
)
VERSIONS = sa.Table("catalogue", _tables, sa.Column("version", sa.Integer, primary_key=True))


class Catalogue:
    """The rows of a store in a database; `writable=False` reads one that nobody may change, or none at all."""

    def __init__(self, file: pathlib.Path, *, writable: bool = True):
        """Open the catalogue, or begin one; one that a newer lazyrich wrote is refused."""
        self._file = file
        self._engine = sa.create_engine(
            _address(file, writable), connect_args={"timeout": PATIENCE}, poolclass=sa.NullPool
        )
        event.listen(self._engine, "connect", _settle if writable else _no_transactions)
        found = self._version() if writable or file.exists() else None
        self._begun = writable or found is not None
        if found is None and writable:
            self._begin()
        elif (found or 0) > VERSION:
            raise StoreFault(
                needed=f"this lazyrich reads catalogues up to version {VERSION}",
                given=f"{file} of version {found}",
                cure="Upgrade lazyrich (pip install -U lazyrich), or choose another store with --store.",
            )

    def _version(self) -> int | None:
        with self._working() as connection:
            known = connection.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = 'catalogue'").scalar()
            return connection.execute(sa.select(sa.func.max(VERSIONS.c.version))).scalar() if known else None

    def _begin(self) -> None:
        with self._working() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            _tables.create_all(connection)
            if connection.execute(sa.select(sa.func.count()).select_from(VERSIONS)).scalar() == 0:
                connection.execute(sa.insert(VERSIONS).values(version=VERSION))

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add runs by their facts; a run that is there already stays as it is."""
        values = [
            {
                **{name: facts.get(name) for name in ("run", "fingerprint", "created")},
                "facts": json.dumps({name: value for name, value in facts.items() if name not in READINGS}),
                "readings": json.dumps({name: value for name, value in facts.items() if name in READINGS}),
            }
            for facts in rows
        ]
        if values:
            with self._working() as connection:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                connection.execute(sa.insert(RUNS).prefix_with("OR IGNORE"), values)

    def rows(self, *, readings: bool = False) -> list[dict[str, Any]]:
        """The facts of all runs, oldest first; with their readings if asked."""
        columns = (RUNS.c.facts, RUNS.c.readings) if readings else (RUNS.c.facts,)
        found = self._read(sa.select(*columns).order_by(RUNS.c.created, RUNS.c.run))
        if not found:
            return []
        # One text is parsed faster than ten thousand.
        facts, *own = (json.loads(f"[{','.join(texts)}]") for texts in zip(*found, strict=True))
        return [row | more for row, more in zip(facts, *own, strict=True)] if readings else facts

    def runs(self) -> set[str]:
        """The names of all runs."""
        return {run for (run,) in self._read(sa.select(RUNS.c.run))}

    def like(self, fingerprint: str) -> list[str]:
        """The runs of the same configuration, newest first."""
        asked = sa.select(RUNS.c.run).where(RUNS.c.fingerprint == fingerprint)
        return [run for (run,) in self._read(asked.order_by(RUNS.c.created.desc(), RUNS.c.run.desc()))]

    def _read(self, query: sa.Select) -> list[Any]:
        if not self._begun:
            return []
        with self._working() as connection:
            return list(connection.execute(query).all())

    @contextmanager
    def _working(self) -> Iterator[sa.Connection]:
        """A connection in a transaction; what the database cannot do is said in our words."""
        try:
            with self._engine.connect() as connection:
                yield connection
                connection.commit()
        except exc.DatabaseError as error:
            raise StoreFault(
                needed="the catalogue of a store is a database that can be opened and written to",
                given=f"{self._file} ({error.orig})",
                cure="Free some space or mend its permissions. If the file itself is broken, move it away: it is made anew "
                "from the runs beside it.",
            ) from error


def _address(file: pathlib.Path, writable: bool) -> sa.URL:
    """The file, whatever characters its path has."""
    if writable:
        return sa.URL.create("sqlite", database=str(file))
    only_read = {"mode": "ro", "immutable": "1", "uri": "true"}
    return sa.URL.create("sqlite", database=f"file:{quote(str(file))}", query=only_read)


def _no_transactions(connection: sqlite3.Connection, _: Any) -> None:
    """Transactions begin where we say."""
    connection.isolation_level = None


def _settle(connection: sqlite3.Connection, _: Any) -> None:
    """A journal that lets readers read while others write."""
    _no_transactions(connection, _)
    until = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            # Two processes that open a new file at once: changing the journal does not wait for a lock by itself.
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
