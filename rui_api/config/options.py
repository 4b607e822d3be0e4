"""DATA: the settings of the service. Flags, environment variables, keys of the file, help and docs are derived from it.

A setting is a field of `Settings`. Its flag ``--like-this``, its environment variable ``RUI_LIKE_THIS`` and its key
``like-this`` in a settings file have the same words. `rui_api.config.loading` reads them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from rui_api.config import parsers
from rui_api.store.url import is_postgres

HOUR = 3600
DAY = 86_400
YEAR = 365 * DAY
MB = 1 << 20
SQLITE_MAX_BYTES = 1 << 30
"""Default limit of a SQLite store: anybody can store specs, until the disk is full."""

ADDRESS = "Address"
STORE = "Store"
LIMITS = "Limits"
OBSERVABILITY = "Logs and metrics"
CACHES = "Caches"
GROUPS = (ADDRESS, STORE, CACHES, LIMITS, OBSERVABILITY)


@dataclass(frozen=True)
class Option:
    """A setting from the operator's side.

    Attributes:
        name: attribute of `Settings`.
        flag: option of ``rui serve``.
        metavar: placeholder of its value.
        help: description.
        group: heading in the help.
        default: default value.
        default_text: description of the default, if the value is not clear enough.
        parse: text → value; raises ValueError.
    """

    name: str
    flag: str
    metavar: str
    help: str
    group: str
    default: Any
    default_text: str
    parse: Callable[[str], Any]

    @property
    def key(self) -> str:
        return self.flag.removeprefix("--")

    @property
    def variable(self) -> str:
        return f"RUI_{self.key.upper().replace('-', '_')}"

    @property
    def shown_default(self) -> str:
        if self.default_text:
            return self.default_text
        if isinstance(self.default, bool):
            return "on" if self.default else "off"
        if isinstance(self.default, float):
            return f"{self.default:g}"
        return str(self.default)


def _setting(
    default: object, flag: str, metavar: str, group: str, parse: Callable[[str], Any], text: str, default_text: str = ""
) -> Any:  # noqa: ANN401  the field has the type
    metadata = {"flag": flag, "metavar": metavar, "group": group, "parse": parse}
    return field(default=default, metadata={**metadata, "help": text, "default_text": default_text})


@dataclass(frozen=True)
class Settings:
    """How the service runs. Times are in seconds. In lists, ``*`` means all."""

    host: str = _setting(
        "127.0.0.1", "--host", "ADDRESS", ADDRESS, parsers.address,
        "Address to listen on. `0.0.0.0`: all IPv4; `::`: all IPv4 and IPv6. For a host name, the first resolved "
        "address.",
    )  # fmt: skip
    port: int = _setting(
        8000, "--port", "PORT", ADDRESS, parsers.port, "Port to listen on. `0`: any free port.",
    )  # fmt: skip
    store: str = _setting(
        "sqlite:///rui.db", "--store", "URL", STORE, parsers.store,
        "Store of the specs: `sqlite:///PATH`, relative to the working directory or, with a fourth slash, absolute; or "
        "`postgresql://USER@HOST/DATABASE`, with the password in `PGPASSWORD` or `~/.pgpass`.",
        "sqlite:///rui.db, which is ./rui.db",
    )  # fmt: skip
    store_file: str = _setting(
        "", "--store-file", "FILE", STORE, parsers.file_path,
        "File that contains the URL of the store, such as a mounted secret. In place of `--store`.", "none",
    )  # fmt: skip
    base_url: str = _setting(
        "", "--base-url", "URL", ADDRESS, parsers.base_url,
        "Public URL of the service, used for the URLs in responses.", "the host of each request",
    )  # fmt: skip
    allowed_origins: tuple[str, ...] = _setting(
        ("*",), "--allow-origins", "LIST", ADDRESS, parsers.origins,
        "Origins whose pages may call the API, separated by commas. Requests of others get 403. Forms and editor "
        "accept the pages of the service only.", "*, all of them",
    )  # fmt: skip
    trusted_proxies: tuple[str, ...] = _setting(
        (), "--trust-proxies", "LIST", ADDRESS, parsers.networks,
        "Addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are used, separated by commas.",
        "none",
    )  # fmt: skip
    allowed_hosts: tuple[str, ...] = _setting(
        ("*",), "--allow-hosts", "LIST", ADDRESS, parsers.hosts,
        "Accepted values of the Host header, without ports, separated by commas. Others get 400.", "*, all of them",
    )  # fmt: skip
    workers: int = _setting(
        1, "--workers", "NUMBER", ADDRESS, parsers.number(1, 1024),
        "Number of processes. More than one needs PostgreSQL.",
    )  # fmt: skip
    max_connections: int = _setting(
        2000, "--max-connections", "NUMBER", LIMITS, parsers.number(1, 1_000_000),
        "Maximum number of connections per process. Further ones get 503.",
    )  # fmt: skip
    headers_timeout: float = _setting(
        20.0, "--headers-timeout", "SECONDS", LIMITS, parsers.seconds(HOUR),
        "Maximum time for the headers of a request.",
    )  # fmt: skip
    body_timeout: float = _setting(
        30.0, "--body-timeout", "SECONDS", LIMITS, parsers.seconds(HOUR), "Maximum time for the body of a request.",
    )  # fmt: skip
    idle_timeout: float = _setting(
        75.0, "--idle-timeout", "SECONDS", LIMITS, parsers.seconds(DAY),
        "Maximum time between two requests of a connection.",
    )  # fmt: skip
    write_timeout: float = _setting(
        30.0, "--write-timeout", "SECONDS", LIMITS, parsers.seconds(HOUR),
        "Maximum time for a client to read a response.",
    )  # fmt: skip
    stop_timeout: float = _setting(
        5.0, "--stop-timeout", "SECONDS", LIMITS, parsers.seconds(HOUR),
        "Maximum time to finish running requests after the signal to stop.",
    )  # fmt: skip
    drain_seconds: int = _setting(
        0, "--drain-seconds", "SECONDS", LIMITS, parsers.number(0, HOUR),
        "How long requests are still accepted after SIGTERM, while `/api/ready` answers 503.",
    )  # fmt: skip
    store_queue: int = _setting(
        2000, "--store-queue", "NUMBER", STORE, parsers.number(1, 1_000_000),
        "Maximum number of requests waiting to be stored, and to be fetched. Further ones get 503 at once.",
    )  # fmt: skip
    store_max_bytes: int | None = _setting(
        None, "--store-max-bytes", "NUMBER", STORE, parsers.number(0, 1 << 60),
        "Maximum size of the store. Above it, storing gets 503, and specs are still fetched. `0`: no limit.",
        "1073741824 (1 GiB) for SQLite, none for PostgreSQL",
    )  # fmt: skip
    retry_after: int = _setting(
        5, "--retry-after", "SECONDS", STORE, parsers.number(1, DAY),
        "Value of Retry-After when the store is unavailable.",
    )  # fmt: skip
    cache_max_age: int = _setting(
        0, "--cache-max-age", "SECONDS", CACHES, parsers.number(0, YEAR),
        "How long browsers and shared caches may use specs, pages and documentation without asking. Needs "
        "`--base-url`.",
        "0, they ask each time",
    )  # fmt: skip
    log_level: str = _setting(
        "info", "--log-level", "LEVEL", OBSERVABILITY, parsers.choice("debug", "info", "warning", "error"),
        "Lowest level of log lines: debug, info (a line per request), warning or error.",
    )  # fmt: skip
    log_format: str = _setting(
        "auto", "--log-format", "FORMAT", OBSERVABILITY, parsers.choice("auto", "json", "text"),
        "Format of log lines: json, an object per line; text, for people; auto, text on a terminal and else json.",
    )  # fmt: skip
    log_file: str = _setting(
        "", "--log-file", "FILE", OBSERVABILITY, parsers.log_path,
        "Log file. It is created again after it was moved away.", "standard error",
    )  # fmt: skip
    metrics: str = _setting(
        "on", "--metrics", "WHERE", OBSERVABILITY, parsers.metrics,
        "Prometheus metrics. on: at /metrics; ADDRESS:PORT: only on a port of their own; off: none.",
    )  # fmt: skip
    tracing: bool = _setting(
        False, "--tracing", "on|off", OBSERVABILITY, parsers.switch,
        "OpenTelemetry traces, exported as OTEL_EXPORTER_OTLP_ENDPOINT and its other variables define.",
    )  # fmt: skip

    @property
    def max_bytes(self) -> int:
        """The maximum size of the store; 0 means none."""
        if self.store_max_bytes is not None:
            return self.store_max_bytes
        return 0 if is_postgres(self.store) else SQLITE_MAX_BYTES


OPTIONS: tuple[Option, ...] = tuple(
    Option(name=setting.name, default=setting.default, **setting.metadata) for setting in fields(Settings)
)
"""Every setting, in the order of `Settings`."""


def settings_table(*groups: str) -> str:
    """Return the settings of these groups, by default all, as the Markdown table of README and docs/operations.md."""
    rows = ["| Option | Variable | Meaning | Default |", "|---|---|---|---|"]
    rows += [
        f"| `{option.flag}` | `{option.variable}` | {option.help} | {option.shown_default} |"
        for group in groups or GROUPS
        for option in OPTIONS
        if option.group == group
    ]
    return "\n".join(rows)
