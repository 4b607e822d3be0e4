"""Store URLs, such as ``sqlite:///rui.db`` and ``postgresql://rui@localhost/rui``."""

import os
import re
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

from rui_api.store.parameters import PASSED, check_parameters, check_tls, settings_in
from rui_api.store.service_file import service_parameters
from rui_common.redact import escape_control
from rui_common.version import missing_package

SQLITE = "sqlite:///"
POSTGRES = ("postgresql://", "postgres://")
READ_ONLY = "mode=ro"

_SECRET = re.compile(
    r"""(?i)(password\s*=\s*)(?:'(?:\\.|[^'\\])*'|[^&#\s]*)|(?:(?<=://)|^(?!.*(?:://|password\s*=)))([^/?#@:]*):.*(?=@)""",
    re.DOTALL,
)
"""A password, also in quotes, as in ``host=h password='a b'``.

In a URL it ends at the last "@", because one that is not percent-encoded may contain "@".
"""


def check_store(url: str) -> None:
    """Raise ValueError if `url` is unusable or needs a missing package or file. The message contains no password."""
    if not is_postgres(url):
        sqlite_path(url)
        return
    try:
        parts = urlsplit(url)
        is_usable = url.isprintable() and ("," in parts.netloc or parts.port != 0)
        is_usable = is_usable and "@" not in parts.query and "#" not in url
        pairs = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=True) if parts.query else []
    except ValueError:
        is_usable = False
    if not is_usable:
        raise ValueError(
            f"PostgreSQL is named as postgresql://USER:PASSWORD@HOST:PORT/DATABASE, not {redact_password(url)!r}"
        )
    if find_spec("asyncpg") is None:
        raise ValueError(missing_package("asyncpg", "api,postgres"))
    check_parameters(pairs)
    if name := dict(pairs).get("service"):
        check_parameters([*service_parameters(name).items()], f"service={name}")
    check_tls(parameters_of(url))


def is_postgres(url: str) -> bool:
    return url.startswith(POSTGRES)


def parameters_of(url: str) -> dict[str, str]:
    """Return the parameters of a URL, and those that it does not have of the service that it names."""
    parameters = dict(parse_qsl(urlsplit(url).query))
    if name := parameters.get("service"):
        return service_parameters(name) | parameters
    return parameters


def server_urls(url: str) -> list[str]:
    """Return a URL for asyncpg for each server that `url` names, with the parameters that asyncpg knows.

    They contain ``options`` only if it has something else than settings.
    """
    scheme, _, rest = url.partition("?")[0].partition("://")
    authority, _, database = rest.partition("/")
    user, at, hosts = authority.rpartition("@")
    pairs = [(name, value) for name, value in parameters_of(url).items() if name in PASSED]
    passed = urlencode([pair for pair in pairs if pair[0] != "options" or settings_in(pair[1]) is None])
    path = f"/{database}" if database else ""  # asyncpg would prefer an empty name to that of a service
    user = user.replace("@", "%40")
    return [f"{scheme}://{user}{at}{host}{path}?{passed}".rstrip("?") for host in hosts.split(",")]


def sqlite_path(url: str) -> Path:
    """Return the path in a ``sqlite:///PATH`` URL; with a fourth slash it is absolute.

    Raises:
        ValueError: the URL has another scheme, no path, one that no file can have, or an unknown parameter; the message
            is for the operator.
    """
    if not url.startswith("sqlite://"):
        raise ValueError(f"a store is named as sqlite:///PATH or postgresql://…, not {redact_password(url)!r}")
    path, mark, parameters = url.removeprefix(SQLITE).partition("?")
    if not url.startswith(SQLITE) or path in ("", ".", "/", ":memory:") or "\0" in path:
        raise ValueError(f"sqlite:///PATH has to name a file, {redact_password(url)!r} does not")
    if mark and parameters != READ_ONLY:
        shown = escape_control(parameters)
        raise ValueError(f"sqlite:///PATH?{READ_ONLY} opens a file for reading; there is no other parameter: {shown!r}")
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        reason = f"names of files are in {error.encoding} here; LC_ALL=C.UTF-8 allows all characters"
        raise ValueError(f"{path!a} cannot be used: {reason}") from None
    return Path(path)


def is_read_only(url: str) -> bool:
    """Return whether a ``sqlite:///PATH`` URL forbids writing."""
    return url.endswith(f"?{READ_ONLY}")


def redact_password(url: str) -> str:
    """Return `url` with ``***`` in place of the password."""
    return _SECRET.sub(lambda match: f"{match[1]}***" if match[1] else f"{match[2]}:***", url)
