"""DATA: what an operator can set. One declaration, from which flags, variables, keys of a file, help and docs follow.

A setting is a field of `Settings`. Its flag is ``--like-this``; the environment variable ``RUI_LIKE_THIS`` and the key
``like-this`` of a settings file have the same words. How they are read stands in `rui_api.config.loading`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from rui_api.config import parsers as values

if TYPE_CHECKING:
    from collections.abc import Callable

HOUR, DAY = 3600, 86_400


@dataclass(frozen=True)
class Option:
    """One setting as the operator sees it.

    Attributes:
        name: the attribute of `Settings`.
        flag: the option of ``rui serve``.
        metavar: what the option takes.
        help: what it does.
        group: what it belongs to, as a heading.
        default: the value without it.
        default_says: the default in words, where the value says too little.
        read: text → value; raises ValueError.
    """

    name: str
    flag: str
    metavar: str
    help: str
    group: str
    default: Any
    default_says: str
    read: Callable[[str], Any]

    @property
    def key(self) -> str:
        """Its name in a settings file."""
        return self.flag.removeprefix("--")

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return f"RUI_{self.key.upper().replace('-', '_')}"

    @property
    def shown_default(self) -> str:
        """The default for people."""
        if self.default_says:
            return self.default_says
        if isinstance(self.default, bool):
            return "on" if self.default else "off"
        return f"{self.default:g}" if isinstance(self.default, float) else str(self.default)


def _setting(
    default: object, flag: str, metavar: str, group: str, read: Callable[[str], Any], help_: str, says: str = ""
) -> Any:  # noqa: ANN401  the field has the type
    metadata = {"flag": flag, "metavar": metavar, "help": help_, "group": group, "default_says": says, "read": read}
    return field(default=default, metadata=metadata)


ADDRESS = "Address"
STORE = "Store"
LIMITS = "Limits"
WATCHING = "Logs and metrics"


@dataclass(frozen=True)
class Settings:
    """How the service runs. Times are in seconds.

    Wherever a list is taken, ``*`` means all.
    """

    host: str = _setting(
        "127.0.0.1", "--host", "ADDRESS", ADDRESS, values.address,
        "address to listen on; 0.0.0.0 means every one of IPv4, :: every one of IPv6 and IPv4; of what a name such as "
        "localhost stands for, the first is taken",
    )  # fmt: skip
    port: int = _setting(8000, "--port", "PORT", ADDRESS, values.port, "port to listen on; 0 takes any free one")
    store: str = _setting(
        "sqlite:///rui.db", "--store", "URL", STORE, values.store,
        "where specs are kept: sqlite:///PATH, relative to the working directory, or with a fourth slash absolute; or "
        "postgresql://USER@HOST/DATABASE, with a password better in PGPASSWORD or ~/.pgpass",
        "sqlite:///rui.db, which is ./rui.db",
    )  # fmt: skip
    base_url: str = _setting(
        "", "--base-url", "URL", ADDRESS, values.base_url,
        "how clients reach the service, for the addresses in its answers", "as each request says",
    )  # fmt: skip
    allowed_origins: tuple[str, ...] = _setting(
        ("*",), "--allow-origins", "LIST", ADDRESS, values.origins,
        "origins whose pages may call the service, with commas between them", "*, all of them",
    )  # fmt: skip
    trusted_proxies: tuple[str, ...] = _setting(
        (), "--trust-proxies", "LIST", ADDRESS, values.networks,
        "addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto count, with commas between them",
        "none",
    )  # fmt: skip
    allowed_hosts: tuple[str, ...] = _setting(
        ("*",), "--allow-hosts", "LIST", ADDRESS, values.hosts,
        "hosts that requests may be for, without ports, with commas between them; others are refused",
        "*, all of them",
    )  # fmt: skip
    workers: int = _setting(
        1,
        "--workers",
        "NUMBER",
        ADDRESS,
        values.number(1, 1024),
        "processes that serve; more than one needs PostgreSQL",
    )
    max_connections: int = _setting(
        2000, "--max-connections", "NUMBER", LIMITS, values.number(1, 1_000_000),
        "clients that may be connected to one process at the same time; more are answered 503",
    )  # fmt: skip
    headers_timeout: float = _setting(
        20.0, "--headers-timeout", "SECONDS", LIMITS, values.seconds(HOUR), "how long the headers of a request may take"
    )
    body_timeout: float = _setting(
        30.0, "--body-timeout", "SECONDS", LIMITS, values.seconds(HOUR), "how long the body of a request may take"
    )
    idle_timeout: float = _setting(
        75.0, "--idle-timeout", "SECONDS", LIMITS, values.seconds(DAY),
        "how long a connection may rest between two requests",
    )  # fmt: skip
    write_timeout: float = _setting(
        30.0, "--write-timeout", "SECONDS", LIMITS, values.seconds(HOUR),
        "how long a client may take to read what it is sent",
    )  # fmt: skip
    stop_timeout: float = _setting(
        5.0, "--stop-timeout", "SECONDS", LIMITS, values.seconds(HOUR),
        "how long requests that have begun may go on after the signal to stop",
    )  # fmt: skip
    store_queue: int = _setting(
        2000, "--store-queue", "NUMBER", STORE, values.number(1, 1_000_000),
        "requests of each sort that may wait for the store; more are answered 503 at once",
    )  # fmt: skip
    retry_after: int = _setting(
        5, "--retry-after", "SECONDS", STORE, values.number(1, DAY),
        "what Retry-After says when the store does not answer",
    )  # fmt: skip
    log_level: str = _setting(
        "info", "--log-level", "LEVEL", WATCHING, values.choice("debug", "info", "warning", "error"),
        "what is logged: debug, info (a line a request), warning or error",
    )  # fmt: skip
    log_format: str = _setting(
        "auto", "--log-format", "FORMAT", WATCHING, values.choice("auto", "json", "text"),
        "json, a JSON object a line; text, for people; auto is text on a terminal, else json",
    )  # fmt: skip
    log_file: str = _setting(
        "", "--log-file", "FILE", WATCHING, values.text_of_file,
        "where logs go; a file that was moved away is made anew", "standard error",
    )  # fmt: skip
    metrics: str = _setting(
        "on", "--metrics", "WHERE", WATCHING, values.metrics,
        "on: Prometheus metrics at /metrics; ADDRESS:PORT: only there, on a port of their own; off",
    )  # fmt: skip
    tracing: bool = _setting(
        False, "--tracing", "on|off", WATCHING, values.switch,
        "OpenTelemetry spans; where they go is said by the variables of OpenTelemetry, OTEL_EXPORTER_OTLP_ENDPOINT …",
    )  # fmt: skip


OPTIONS: tuple[Option, ...] = tuple(
    Option(name=declared.name, default=declared.default, **declared.metadata) for declared in fields(Settings)
)
"""Every setting, in the order of `Settings`."""

GROUPS = (ADDRESS, STORE, LIMITS, WATCHING)


def settings_table(*groups: str) -> str:
    """The settings of these groups as a table in Markdown, as README and docs/operations.md show it."""
    rows = ["| Option | Variable | Meaning | Default |", "|---|---|---|---|"]
    rows += [
        f"| `{option.flag}` | `{option.variable}` | {option.help} | {option.shown_default} |"
        for group in groups or GROUPS
        for option in OPTIONS
        if option.group == group
    ]
    return "\n".join(rows)
