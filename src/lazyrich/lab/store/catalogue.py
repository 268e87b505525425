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
from sqlalchemy.dialects import postgresql, sqlite

from ...errors import BadInput, StoreFault
from ..optional_packages import require
from . import shortlist
from .facts import masked

VERSION = 1
# How long a writer waits for another one, in seconds.
PATIENCE = 60
# How long a server may take to answer at all, in seconds.
SERVER_PATIENCE = 5
# The one thing that writers to a server take turns for.
_LOCK = 7_206_341
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
SEEN = sa.Table("seen", sa.MetaData(), sa.Column("changed", sa.BigInteger))
VERSIONS = sa.Table("catalogue", _tables, sa.Column("version", sa.Integer, primary_key=True))


class Catalogue:
    """The rows of a store in a database: a SQLite file, or a PostgreSQL server by its address.

    `writable=False` reads a file that nobody may change, or none at all.
    """

    def __init__(self, where: pathlib.Path | str, *, writable: bool = True):
        """Open the catalogue, or begin one; one that a newer lazyrich wrote is refused."""
        there = isinstance(where, pathlib.Path)
        self._engine = _file_engine(where, writable) if there else server_engine(where)
        self._where = str(where) if there else masked(where)
        exists = writable or not there or where.exists()
        found = self._version() if exists else None
        self._begun = writable or found is not None
        if found is None and writable:
            self._begin()
        elif (found or 0) > VERSION:
            raise StoreFault(
                needed=f"this lazyrich reads catalogues up to version {VERSION}",
                given=f"{self._where} of version {found}",
                cure="Upgrade lazyrich (git pull in its checkout), or choose another store with --store.",
            )

    def _version(self) -> int | None:
        with self._working() as connection:
            known = sa.inspect(connection).has_table(VERSIONS.name)
            return connection.execute(sa.select(sa.func.max(VERSIONS.c.version))).scalar() if known else None

    def _begin(self) -> None:
        with self._writing() as connection:
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
            insert = postgresql.insert if self._server else sqlite.insert
            with self._writing() as connection:
                connection.execute(insert(RUNS).on_conflict_do_nothing(), values)

    def rows(self, *, readings: bool = False, where: str | None = None) -> list[dict[str, Any]]:
        """The facts of all runs, oldest first, with their readings if asked; not of those that surely answer no to a question."""
        columns = (RUNS.c.facts, RUNS.c.readings) if readings else (RUNS.c.facts,)
        asked = sa.select(*columns).order_by(RUNS.c.created, RUNS.c.run)
        for one in shortlist.comparisons(where) if where is not None else ():
            asked = asked.where(shortlist.condition(one, RUNS.c.facts, RUNS.c.readings, server=self._server))
        found = self._read(asked)
        if not found:
            return []
        # One text is parsed faster than ten thousand.
        facts, *own = (json.loads(f"[{','.join(texts)}]") for texts in zip(*found, strict=True))
        return [row | more for row, more in zip(facts, *own, strict=True)] if readings else facts

    def mentions(self, name: str) -> bool:
        """Whether any run has a fact or a parameter of this name."""
        asked = sa.select(RUNS.c.run)
        if name not in READINGS:  # which every run has
            asked = asked.where(shortlist.mentions(name, RUNS.c.facts, server=self._server))
        return bool(self._read(asked.limit(1)))

    @property
    def seen(self) -> int | None:
        """When the folder of runs was last changed, as far as every run in it is known to have its row."""
        if not self._begun:
            return None
        with self._working() as connection:
            known = sa.inspect(connection).has_table(SEEN.name)
            return connection.execute(sa.select(SEEN.c.changed)).scalar() if known else None

    @seen.setter
    def seen(self, changed: int) -> None:
        with self._writing() as connection:
            SEEN.create(connection, checkfirst=True)
            connection.execute(sa.delete(SEEN))
            connection.execute(sa.insert(SEEN).values(changed=changed))

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

    @property
    def _server(self) -> bool:
        return self._engine.dialect.name == "postgresql"

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """A transaction that no other writer can be in."""
        with self._working() as connection:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})" if self._server else "BEGIN IMMEDIATE")
            yield connection

    @contextmanager
    def _working(self) -> Iterator[sa.Connection]:
        """A connection in a transaction; what the database cannot do is said in our words."""
        try:
            with self._engine.connect() as connection:
                yield connection
                connection.commit()
        except exc.DatabaseError as error:
            if self._server:
                raise StoreFault(
                    needed="the catalogue of a store is a database that answers and can be written to",
                    given=f"{self._where} ({' '.join(str(error.orig).split())[:300]})",
                    cure="See that the server runs, that the address is right and that you may write there.",
                ) from error
            raise StoreFault(
                needed="the catalogue of a store is a database that can be opened and written to",
                given=f"{self._where} ({error.orig})",
                cure="Free some space or mend its permissions. If the file itself is broken, move it away: it is made anew "
                "from the runs beside it.",
            ) from error


def _file_engine(file: pathlib.Path, writable: bool) -> sa.Engine:
    engine = sa.create_engine(_address(file, writable), connect_args={"timeout": PATIENCE}, poolclass=sa.NullPool)
    event.listen(engine, "connect", _settle if writable else _no_transactions)
    return engine


def server_engine(address: str) -> sa.Engine:
    """The engine of a PostgreSQL address; nothing is asked of it yet."""
    try:
        url = sa.make_url(address)
    except (exc.ArgumentError, ValueError) as error:
        raise BadInput(
            needed="the address of a PostgreSQL database",
            given="one that cannot be read",
            cure="Write for example postgresql://USER@HOST/BASE.",
        ) from error
    require("cluster", "psycopg", what="a catalogue in a database")
    answers = {"connect_timeout": SERVER_PATIENCE}
    return sa.create_engine(url.set(drivername="postgresql+psycopg"), connect_args=answers, poolclass=sa.NullPool)


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
