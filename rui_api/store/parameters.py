"""DATA: the parameters of PostgreSQL's URLs, as clients and hosted databases write them, and their check at start.

A parameter either works or is refused: asyncpg would send one that it does not know to the server, as a setting.
"""

import os
import re
import ssl
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rui_common.suggest import nearest

BOOLEAN = ("true", "false")
PASSED: dict[str, tuple[str, ...] | None] = {
    **dict.fromkeys(("host", "port", "user", "password", "dbname", "database", "passfile", "krbsrvname", "gsslib")),
    **dict.fromkeys(("sslcert", "sslkey", "sslpassword", "sslrootcert", "sslcrl")),
    **dict.fromkeys(("ssl_min_protocol_version", "ssl_max_protocol_version"), ("TLSv1.2", "TLSv1.3")),
    "sslmode": ("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
    "sslnegotiation": ("postgres", "direct"),
    "target_session_attrs": ("any", "primary", "standby", "read-write", "read-only", "prefer-standby"),
    "options": None,
}
"""What asyncpg knows or sends to the server, with the valid values, or None for any."""
SETTINGS: dict[str, tuple[str, ...] | None] = {
    **dict.fromkeys(("application_name", "search_path", "role", "timezone", "TimeZone")),
    **dict.fromkeys(("statement_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout")),
}
"""Settings of a session, which the store sets by SQL. A pooler refuses or drops what is sent with a connection."""
OWN: dict[str, tuple[str, ...] | None] = {
    "prepared": ("on", "off"),
    "pgbouncer": BOOLEAN,
    "connect_timeout": None,
    "service": None,
    "channel_binding": ("prefer", "disable", "require"),
    # What other clients do with these parameters of hosted databases, asyncpg does without them, or has no use for.
    **dict.fromkeys(("connection_limit", "pool_timeout", "supa", "workaround")),
    "uselibpqcompat": ("true",),
    # Valid are the values that describe what asyncpg does.
    "gssencmode": ("prefer", "disable"),
    "client_encoding": ("utf8", "UTF8", "utf-8", "UTF-8", "auto"),
    "sslcompression": ("0",),
    "sslsni": ("1",),
    "load_balance_hosts": ("disable",),
}
"""What asyncpg does not get."""
INSTEAD = {
    **dict.fromkeys(("ssl", "sslaccept", "tls"), "sslmode=require"),
    **dict.fromkeys(("schema", "currentSchema"), "search_path"),
    **dict.fromkeys(("statement_cache_size", "prepared_statement_cache_size"), "prepared=off"),
    **dict.fromkeys(("prepareThreshold", "prepared_statements", "binary_parameters"), "prepared=off"),
    **dict.fromkeys(("prefer_simple_protocol", "default_query_exec_mode"), "prepared=off"),
    **dict.fromkeys(("timeout", "loginTimeout", "socketTimeout"), "connect_timeout"),
    "hostaddr": "host",
    "pwd": "password",
}
"""Parameters of other clients."""
LIBPQ = frozenset(
    "keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout sslcertmode sslcrldir "
    "require_auth requirepeer replication gssdelegation min_protocol_version max_protocol_version".split()
)
"""Parameters of libpq that asyncpg lacks."""
NO_GSSAPI = "asyncpg has no encryption by GSSAPI"
VERIFIED = ("verify-ca", "verify-full")


def check_parameters(pairs: Sequence[tuple[str, str]], place: str = "the URL of PostgreSQL") -> None:
    """Raise ValueError, with their place, if a parameter is unknown, given twice, or has a value that does not work."""
    known = PASSED | SETTINGS | OWN
    names = [name for name, _ in pairs]
    for name, value in pairs:
        if name not in known:
            raise ValueError(f"{place} has an unknown parameter {name!r:.60}{_advice(name)}")
        if names.count(name) > 1:
            raise ValueError(f"{place} has the parameter {name} twice")
        values = known[name]
        if values is not None and value not in values:
            reason = NO_GSSAPI if name == "gssencmode" else f"valid is {', '.join(values)}"
            raise ValueError(f"{place}: {name}={value!r:.60} cannot be used: {reason}")
    if not dict(pairs).get("connect_timeout", "0").isdecimal():
        raise ValueError(f"{place}: connect_timeout is a number of seconds")


def is_prepared(parameters: Mapping[str, str]) -> bool:
    """Return whether statements are prepared once per connection, which poolers in transaction mode do not bear."""
    return parameters.get("prepared") != "off" and parameters.get("pgbouncer") != "true"


def session_settings(parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of the server that a URL has, also those in its ``options``."""
    settings = settings_in(parameters.get("options", "")) or {}
    return settings | {name: value for name, value in parameters.items() if name in SETTINGS}


def settings_in(options: str) -> dict[str, str] | None:
    """Return the settings in ``-c NAME=VALUE -c …``, or None if there is anything else, which is only sent.

    A backslash escapes a space.
    """
    settings = {}
    words = iter(re.sub(r"\\(.)", r"\1", word) for word in re.findall(r"(?:\\.|[^\\\s])+", options))
    for word in words:
        setting = next(words, "") if word == "-c" else word.removeprefix("-c")
        name, equals, value = setting.partition("=")
        if not word.startswith("-c") or not equals:
            return None
        settings[name.replace("-", "_")] = value
    return settings


def _advice(name: str) -> str:
    if name in LIBPQ:
        return ": asyncpg does not have it, as libpq has; leave it out"
    instead = INSTEAD.get(name) or nearest(name, PASSED | SETTINGS | OWN)
    if instead:
        return f" (did you mean {instead}?)"
    return "; a setting of the server is written as options=-c%20NAME%3DVALUE"


def check_tls(parameters: Mapping[str, str]) -> None:
    """Raise ValueError, with the reason, if the server cannot be verified as asked, or a file cannot be read."""
    mode = _value(parameters, "sslmode")
    modes = PASSED["sslmode"] or ()
    if mode and mode not in modes:  # the mode of the URL was checked before
        raise ValueError(f"PGSSLMODE={mode!r:.60} cannot be used: valid is {', '.join(modes)}")
    roots = _value(parameters, "sslrootcert")
    revoked = _value(parameters, "sslcrl")
    certificate = _value(parameters, "sslcert")
    if _is_bound(parameters):
        if mode in ("disable", "allow") or (roots not in ("", "system") and mode != "verify-full"):
            raise ValueError("channel_binding=require needs sslmode=require, or sslmode=verify-full with sslrootcert")
        mode = "verify-full"
    if uses_system_roots(parameters):
        if mode != "verify-full" or certificate or revoked:
            name = "channel_binding=require" if _is_bound(parameters) else "sslrootcert=system"
            raise ValueError(f"{name} needs sslmode=verify-full, without sslcert and sslcrl")
        return
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    default = os.path.expanduser("~/.postgresql/root.crt")  # noqa: PTH111  Path raises if there is no home
    if not roots and (mode in VERIFIED or os.path.exists(default)):  # noqa: PTH110
        roots = default
    if mode in ("require", *VERIFIED):
        advice = "; sslrootcert=system uses the certificates of the operating system"
        _load(f"sslmode={mode}: root certificate", roots, context.load_verify_locations, advice)
        _load("revocation list", revoked, context.load_verify_locations)
    if mode != "disable":
        key, password = _value(parameters, "sslkey") or None, parameters.get("sslpassword", "")
        what = "certificate"
        if key:
            what = f"key {key} of the certificate"
        _load(what, certificate, lambda path: context.load_cert_chain(path, key, lambda: password))
    _load("password file", parameters.get("passfile", ""), lambda path: Path(path).open("rb").close())


def uses_system_roots(parameters: Mapping[str, str]) -> bool:
    """Return whether servers are verified with the certificates of the operating system."""
    roots = _value(parameters, "sslrootcert")
    return roots == "system" or (not roots and _is_bound(parameters))


def _is_bound(parameters: Mapping[str, str]) -> bool:
    """Return whether the server has to prove that it is the other end of the encryption.

    asyncpg has no channel binding. A certificate for the name of the server proves it, too, so it is verified.
    """
    return _value(parameters, "channel_binding") == "require"


def _value(parameters: Mapping[str, str], name: str) -> str:
    """Return a parameter of the URL, or else the variable of the environment for it."""
    return parameters.get(name) or os.environ.get(f"PG{name.upper().replace('_', '')}", "")


def _load(what: str, path: str, load: Callable[[str], None], advice: str = "") -> None:
    """Load a file if there is one to load."""
    if not path:
        return
    try:
        load(path)
    except OSError as error:
        reason = error.strerror or str(error)
        if isinstance(error, ssl.SSLError):
            reason = (error.reason or "it cannot be used").replace("_", " ").lower()
        raise ValueError(f"{what} {path}: {reason}{advice}") from None
