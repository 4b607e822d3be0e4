"""DATA: what an operator can do about PostgreSQL: about its errors, and about settings that may lose specs."""

from typing import NamedTuple

import asyncpg

RISKS = (
    "SELECT current_setting('fsync', true) = 'off' AS fsync, "
    "current_setting('full_page_writes', true) = 'off' AS full_page_writes, "
    "current_setting('synchronous_standby_names', true) = '' AS no_standby, "
    "current_setting('transaction_read_only', true) = 'on' AS read_only, "
    "(SELECT relpersistence <> 'p' FROM pg_class WHERE oid = 'rui_specs'::regclass) AS unlogged"
)
"""Whether each of `WARNINGS` applies. ``no_standby`` matters only if the URL has several servers."""
NO_STANDBY = "no_standby"
WARNINGS = {
    "fsync": "PostgreSQL has fsync = off: if its machine fails, stored specs can be lost",
    "full_page_writes": "PostgreSQL has full_page_writes = off: if its machine fails, stored specs can be lost",
    NO_STANDBY: "PostgreSQL has no synchronous standby (synchronous_standby_names is empty): a failover to another "
    "server of the URL can lose the latest specs",
    "read_only": "PostgreSQL is read-only: it is a standby, or has default_transaction_read_only = on",
    "unlogged": "the table rui_specs is UNLOGGED: if PostgreSQL is killed, all specs are lost; "
    "ALTER TABLE rui_specs SET LOGGED",
}
MISSING_GRANT = (
    "SELECT quote_ident(current_schema()) AS schema, quote_ident(current_user) AS role "
    "WHERE NOT has_schema_privilege(current_schema(), 'CREATE')"
)
"""The schema in which tables are created, and the role, if that may not. PostgreSQL 15 gives the right to nobody."""


class Advice(NamedTuple):
    """Errors of PostgreSQL, and what helps against them."""

    errors: tuple[type[Exception], ...]
    text: str


ADVICE = (
    Advice(
        (asyncpg.InvalidSQLStatementNameError, asyncpg.DuplicatePreparedStatementError),
        "a pooler in transaction mode needs prepared=off in the URL",
    ),
    Advice((asyncpg.ReadOnlySQLTransactionError,), "it is a standby, or has default_transaction_read_only = on"),
    Advice(
        (asyncpg.InsufficientPrivilegeError,),
        "the role needs SELECT, INSERT and UPDATE on rui_specs, and SELECT on rui_schema_version",
    ),
    Advice(
        (asyncpg.InvalidPasswordError,),
        "the password is taken from the URL, PGPASSWORD or the file ~/.pgpass of the user of the service",
    ),
    Advice((asyncpg.InvalidSchemaNameError,), "CREATE SCHEMA, or another search_path in the URL"),
    Advice((asyncpg.QueryCanceledError,), "statement_timeout of the role or the URL may be too short"),
)

REFUSED_OPTIONS = "a pooler passes on only the options of the URL that are like -c NAME=VALUE"


def described(error: Exception, advice: str = "") -> str:
    """Return the reason of an error in one line, with what helps against it, by default what `ADVICE` has."""
    reason = str(error).partition("\n")[0] or "no connection in time"
    usual = next((known.text for known in ADVICE if isinstance(error, known.errors)), "")
    return f"{reason}; {advice or usual}".removesuffix("; ")
