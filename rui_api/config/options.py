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

YEAR = 365 * 86_400
SQLITE_MAX_BYTES = 1 << 30
"""Default limit of a SQLite store: anybody can store specs, until the disk is full."""

ADDRESS = "Address"
STORE = "Store"
OBSERVABILITY = "Logs and metrics"
GROUPS = (ADDRESS, STORE, OBSERVABILITY)


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
    store_queue: int = _setting(
        2000, "--store-queue", "NUMBER", STORE, parsers.number(1, 1_000_000),
        "Maximum number of requests waiting to be stored, and to be fetched. Further ones get 503 at once.",
    )  # fmt: skip
    store_max_bytes: int | None = _setting(
        None, "--store-max-bytes", "NUMBER", STORE, parsers.number(0, 1 << 60),
        "Maximum size of the store. Above it, storing gets 503, and specs are still fetched. `0`: no limit.",
        "1073741824 (1 GiB) for SQLite, none for PostgreSQL",
    )  # fmt: skip
    cache_max_age: int = _setting(
        0, "--cache-max-age", "SECONDS", ADDRESS, parsers.number(0, YEAR),
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
        "Format of log lines on standard error: json, an object per line; text, for people; auto, text on a terminal "
        "and else json.",
    )  # fmt: skip
    metrics_port: int = _setting(
        0, "--metrics-port", "PORT", OBSERVABILITY, parsers.port,
        "Port on which Prometheus gets metrics of all workers, at the address of `--host`. `0`: no metrics.",
    )  # fmt: skip
    otel: bool = _setting(
        False, "--otel", "on|off", OBSERVABILITY, parsers.switch,
        "OpenTelemetry traces, exported as OTEL_EXPORTER_OTLP_ENDPOINT and its other variables define.",
    )  # fmt: skip

    @property
    def max_bytes(self) -> int:
        """The limit of the size of the store; 0 for none."""
        if self.store_max_bytes is not None:
            return self.store_max_bytes
        return 0 if is_postgres(self.store) else SQLITE_MAX_BYTES


OPTIONS: tuple[Option, ...] = tuple(
    Option(name=setting.name, default=setting.default, **setting.metadata) for setting in fields(Settings)
)
"""Every setting, in the order of `Settings`."""


def settings_table() -> str:
    """Return the settings as the Markdown table of docs/operations.md."""
    rows = ["| Option | Variable | Meaning | Default |", "|---|---|---|---|"]
    rows += [
        f"| `{option.flag}` | `{option.variable}` | {option.help} | {option.shown_default} |"
        for group in GROUPS
        for option in OPTIONS
        if option.group == group
    ]
    return "\n".join(rows)
