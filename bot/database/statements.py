"""Statements that all tables share, and prepared statements for frequent ones.

SQLAlchemy spends several times as much CPU around a statement as the driver spends on running it:
cache keys, events, execution contexts and result objects. A prepared statement is built with
SQLAlchemy like any other, compiled once for each kind of database, and from then on handed to the
driver's cursor with its values. It raises the errors that SQLAlchemy would have raised, and runs in
the same transactions.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any, TypeVar

from sqlalchemy import ClauseElement, Connection, Dialect, Executable, Insert, MetaData, insert
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.util import LRUCache

from bot.database.backends import Backend
from bot.database.sqlite import SQLITE

R = TypeVar("R")

Values = Mapping[str, Any]

Convert = Callable[[Any], Any]


class Base(DeclarativeBase):
    """The base of all tables: it gives constraints names that migrations can rely on."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def backend_of(name: str) -> Backend:
    """The backend for an engine, by SQLAlchemy's name for it; raises KeyError if there is none."""
    if name == "postgresql":
        # Imported here because its driver is installed only where it is used.
        from bot.database.postgres import POSTGRES

        return POSTGRES
    return {"sqlite": SQLITE}[name]


def record(kind: type[R], row: Any) -> R:
    """A dataclass with the values of the columns that have the names of its fields."""
    return kind(**{one.name: getattr(row, one.name) for one in fields(kind)})  # type: ignore[arg-type]


async def change(
    connection: AsyncConnection, statement: Executable | Prepared, values: Values | None = None
) -> int:
    """Run a statement with these values bound; returns how many rows it changed."""
    if isinstance(statement, Prepared):
        return await statement.change(connection, values or {})
    return (await connection.execute(statement, values)).rowcount


async def lock(connection: AsyncConnection, key: Any, ids: Collection[Any]) -> None:
    """Lock the rows of which a key has these values, until the transaction ends.

    The transaction then reads the changes of earlier holders of the locks. Rows are locked in the
    order of their keys, so two transactions never wait for each other.
    """
    await backend_of(connection.dialect.name).lock(connection, key, ids)


async def add(connection: AsyncConnection, table: type[Base], values: dict[str, Any]) -> int:
    """Insert a row and return its id."""
    return await _insert(table).insert(connection, values)


async def add_missing(
    connection: AsyncConnection, table: type[Base], values: dict[str, Any]
) -> None:
    """Insert a row unless its key exists."""
    await insert_missing(connection.dialect.name, table).change(connection, values)


async def put(
    connection: AsyncConnection, table: type[Base], key: dict[str, Any], values: dict[str, Any]
) -> None:
    """Insert a row, or update it if its key exists."""
    row, backend = {**key, **values}, connection.dialect.name
    if any(isinstance(value, ClauseElement) for value in values.values()):
        # Expressions that the database computes are part of the statement.
        insert = backend_of(backend).insert(table.__table__).values(row)
        statement = insert.on_conflict_do_update(index_elements=list(key), set_=values)
        await connection.execute(statement)
    else:
        await _insert_or_update(backend, table, (*key,), (*values,)).change(connection, row)


@cache
def _insert(table: type[Base]) -> Prepared:
    """The statement that inserts a row, whose values are bound."""
    return Prepared(insert(table.__table__))  # type: ignore[arg-type]  # it is a table


@cache
def insert_missing(backend: str, table: type[Base]) -> Prepared:
    """The statement that inserts a row, whose values are bound, unless its key exists."""
    return Prepared(backend_of(backend).insert(table.__table__).on_conflict_do_nothing())


@cache
def _insert_or_update(
    backend: str, table: type[Base], key: tuple[str, ...], columns: tuple[str, ...]
) -> Prepared:
    """The statement that inserts a row or updates these columns of the one with its key."""
    insert = backend_of(backend).insert(table.__table__)
    new = {name: insert.excluded[name] for name in columns}
    return Prepared(insert.on_conflict_do_update(index_elements=list(key), set_=new))


class Prepared:
    """A statement whose values are bound each time that it is run.

    Lists (`IN`) can only be part of the statement itself.
    """

    __slots__ = ("_compiled", "statement")

    def __init__(self, statement: Any) -> None:
        """Prepare a statement; it is compiled when it is first run."""
        self.statement = statement
        self._compiled: dict[tuple[str, tuple[str, ...]], _Compiled] = {}

    async def rows(self, connection: AsyncConnection, values: Values) -> list[Any]:
        """Run a query and return its rows, as named tuples."""
        return await connection.run_sync(lambda c: self._for(c, values).rows(c, values))

    async def change(self, connection: AsyncConnection, *values: Values) -> int:
        """Run the statement for each set of values; returns how many rows were changed."""

        def run(sync: Connection) -> int:
            return sum(self._for(sync, one).changed(sync, one) for one in values)

        return await connection.run_sync(run)

    async def insert(self, connection: AsyncConnection, values: Values) -> int:
        """Insert a row and return the first column of its primary key."""
        return await connection.run_sync(
            lambda sync: self._for(sync, values).inserted(sync, values)
        )

    def _for(self, connection: Connection, values: Values) -> _Compiled:
        dialect = connection.dialect
        key = (dialect.name, tuple(values))
        compiled = self._compiled.get(key)
        if compiled is None:
            compiled = self._compiled[key] = _Compiled(self.statement, dialect, key[1])
        return compiled


class PreparedSet:
    """Statements that depend on a database or a process, each built and prepared once."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Prepared] = {}

    def get(self, key: Hashable, build: Callable[[], Any]) -> Prepared:
        """The statement of this key, which `build` makes the first time."""
        if key not in self._known:
            self._known[key] = Prepared(build())
        return self._known[key]


@cache
def prepared_set(backend: str, purpose: Hashable) -> PreparedSet:
    """The statements for a purpose on one database engine, the same for all of its databases."""
    return PreparedSet()


class _CompiledCache(LRUCache[tuple[Any, ...], Any]):
    """What SQLAlchemy has compiled, for all engines of a process that speak the same SQL.

    An engine's own cache starts empty. Compiling all that a start asks costs more than asking it.
    """

    __slots__ = ()

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        """A compiled statement; `default` if there is none."""
        return super().get(_of_sql(key), default)

    def __getitem__(self, key: tuple[Any, ...]) -> Any:
        return super().__getitem__(_of_sql(key))

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        super().__setitem__(_of_sql(key), compiled)


def _of_sql(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """SQLAlchemy's key of a statement, with its dialect's kind and version for the dialect."""
    dialect, *rest = key
    return (type(dialect), getattr(dialect, "server_version_info", None), *rest)


COMPILED = _CompiledCache(1000)
"""The cache of all engines."""


class _Compiled:
    """A statement in one database's SQL, with values of these names."""

    def __init__(self, statement: Any, dialect: Dialect, names: Sequence[str]) -> None:
        # The columns of an INSERT are those for which there are values.
        columns = isinstance(statement, Insert) and statement.select is None
        compiled: Any = statement.compile(dialect=dialect, column_keys=names if columns else None)
        state = compiled.construct_expanded_state(dict.fromkeys(names))
        expanding = {bind.key for bind in compiled.post_compile_params} & {*names}
        if expanding or not compiled.positional:
            raise ValueError(f"cannot be prepared: {compiled}")
        self._sql: str = state.statement
        self._arguments = _Arguments(compiled, state, dialect, frozenset(names))
        self._columns, self._dialect = compiled._result_columns, dialect
        self._read: Callable[[Any], list[Any]] | None = None
        self._key = next(iter(statement.table.primary_key)).name if columns else ""
        self._returns, self._numbers = bool(compiled.implicit_returning), False
        if columns:
            self._numbers = compiled.postfetch_lastrowid and self._key not in names

    def rows(self, connection: Connection, values: Values) -> list[Any]:
        rows: list[Any] = self._run(connection, values, self._rows)
        return rows

    def changed(self, connection: Connection, values: Values) -> int:
        return int(self._run(connection, values, attrgetter("rowcount")))

    def inserted(self, connection: Connection, values: Values) -> int:
        if self._returns:
            return int(self._run(connection, values, lambda cursor: cursor.fetchall()[0][0]))
        number = self._run(
            connection, values, attrgetter("lastrowid" if self._numbers else "rowcount")
        )
        return int(number if self._numbers else values[self._key])

    def _rows(self, cursor: Any) -> list[Any]:
        if self._read is None:
            # The database's own types of the columns are known only now.
            self._read = _reader(self._columns, cursor.description, self._dialect)
        return self._read(cursor.fetchall())

    def _run(self, connection: Connection, values: Values, get: Callable[[Any], Any]) -> Any:
        # A wrong value is an error of the caller's, not of the database.
        arguments = self._arguments.of(values)
        raw: Any = connection.connection.dbapi_connection
        cursor = raw.cursor()
        try:
            cursor.execute(self._sql, arguments)
            return get(cursor)
        except BaseException as error:  # noqa: BLE001  # raises a translated error
            connection._handle_dbapi_exception(error, self._sql, arguments, cursor, None)
        finally:
            cursor.close()


class _Arguments:
    """Puts values into the order that the driver expects."""

    def __init__(self, compiled: Any, state: Any, dialect: Dialect, names: frozenset[str]) -> None:
        order = [*state.positiontup]
        self._constants: list[Any] = []
        self._given: list[tuple[int, str, Convert | None]] = []
        for place, name in enumerate(order):
            bind = compiled.binds.get(name)
            kind = None if bind is None else bind.type.dialect_impl(dialect)
            convert = None if kind is None else kind.bind_processor(dialect)
            if name in names:
                self._constants.append(None)
                self._given.append((place, name, convert))
            else:
                constant = state.parameters[name]
                # Each element of a list in the statement is a constant of its own.
                self._constants.append(convert(constant) if convert else constant)
        converted = any(convert for _, _, convert in self._given)
        all_given = len(self._given) == len(order)
        plain = [name for _, name, _ in self._given]
        self._plain = itemgetter(*plain) if all_given and not converted and len(plain) > 1 else None

    def of(self, values: Values) -> tuple[Any, ...]:
        if self._plain is not None:
            arguments: tuple[Any, ...] = self._plain(values)
            return arguments
        found = self._constants.copy()
        for place, name, convert in self._given:
            value = values[name]
            found[place] = value if convert is None else convert(value)
        return tuple(found)


def _reader(columns: Any, described: Any, dialect: Dialect) -> Callable[[Any], list[Any]]:
    """A function that turns rows into named tuples, with the types of the statement's columns."""
    names = [column.keyname for column in columns]
    row: Any = namedtuple("Row", names, rename=True)  # type: ignore[misc]
    make = row._make
    converts = [
        column.type.dialect_impl(dialect).result_processor(dialect, one[1])
        for column, one in zip(columns, described, strict=True)
    ]
    if not any(converts):
        return lambda rows: [*map(make, rows)]

    def converted(row: Sequence[Any]) -> Any:
        pairs = zip(row, converts, strict=True)
        return make([value if convert is None else convert(value) for value, convert in pairs])

    return lambda rows: [*map(converted, rows)]
