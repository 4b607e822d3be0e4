"""DATA: the settings of the service. Flags, environment variables, keys of the file, help and docs are derived from it.

A setting is a field of `Settings`. Its flag ``--like-this``, its environment variable ``RUI_LIKE_THIS`` and its key
``like-this`` in a settings file have the same words. `rui_api.config.loading` reads them.
"""

import re
from collections.abc import Callable
from ipaddress import ip_network
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlsplit

from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields

from rui_api.http.hosts import is_host
from rui_api.store.url import check_store, is_postgres

YEAR = 365 * 86_400
MIN_STORE_BYTES = 1_000_000
"""An empty store with room for a spec needs nearly as many."""

Port = Annotated[int, Meta(ge=0, le=65_535)]
Origin = Annotated[str, Meta(pattern=r"^(\*|[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?)\Z")]
Host = Annotated[str, Meta(pattern=r"^(\*|[a-z0-9][a-z0-9_.-]*|\[[0-9a-f:.]+\])\Z")]

_BASE_URL = re.compile(r"https?://[!-~]+")
_NOT_IN_BASE_URL = re.compile(r'[ "<>\\^`{|}@?#]')


class Setting(NamedTuple):
    """A setting from the operator's side."""

    metavar: str
    help: str
    form: str  # valid values, for messages
    default: str = ""  # description of the default, if the value is not clear enough
    check: Callable[[Any], object] = bool  # raises ValueError for an unusable value of the right type


def _check_base_url(url: str) -> None:
    if url and (not _BASE_URL.fullmatch(url) or _NOT_IN_BASE_URL.search(url)):
        raise ValueError
    if url and not is_host(urlsplit(url).netloc):
        raise ValueError
    _ = urlsplit(url).port  # raises ValueError


def _check_origins(origins: tuple[str, ...]) -> None:
    """Refuse an origin that no browser sends: they omit the default port."""
    for origin in origins:
        parts = urlsplit(origin)
        if parts.port is not None and parts.port == {"http": 80, "https": 443}.get(parts.scheme):
            raise ValueError


def _check_store_size(size: int | None) -> None:
    if size and size < MIN_STORE_BYTES:
        raise ValueError


def _check_networks(networks: tuple[str, ...]) -> None:
    for network in networks:
        if network != "*":
            ip_network(network)


class Settings(Struct, frozen=True, kw_only=True):
    """How the service runs. Times are in seconds. In lists of hosts, origins and proxies, ``*`` means all."""

    host: Annotated[str, Meta(min_length=1), Setting(
        "ADDRESS", "Address to listen on. `0.0.0.0`: all IPv4; `::`: all IPv4 and IPv6. For a host name, the "
        "first resolved address.", "an address such as 127.0.0.1, 0.0.0.0 or ::",
    )] = "127.0.0.1"  # fmt: skip
    port: Annotated[Port, Setting(
        "PORT", "Port to listen on. `0`: any free port.", "a number from 0 to 65535",
    )] = 8000  # fmt: skip
    unix_socket: Annotated[str, Setting(
        "PATH", "Unix socket to listen on, in place of `--port`. The rights of its folder decide who may connect.",
        "the path of a socket", "none",
    )] = ""  # fmt: skip
    keep_alive: Annotated[int, Meta(ge=1, le=3_600), Setting(
        "SECONDS", "How long a connection without a request stays open; twice as long if a part of one has arrived. "
        "Longer than the proxy keeps it: else the proxy sends requests on connections that are being closed.",
        "a number of seconds from 1 to 3600",
    )] = 75  # fmt: skip
    base_url: Annotated[str, Setting(
        "URL", "Public URL of the service, used for the URLs in responses.",
        "a URL like https://rui.example.org, without query and fragment,", "the host of each request", _check_base_url,
    )] = ""  # fmt: skip
    allow_origins: Annotated[tuple[Origin, ...], Setting(
        "LIST", "Origins whose pages may call the API, separated by commas. Requests of others get 403. Forms "
        "and editor accept the pages of the service only.",
        "a list of origins as browsers send them, like https://app.example.org, without wildcards, a default port, and "
        "a slash at the end,", "*, all of them", _check_origins,
    )] = ("*",)  # fmt: skip
    trust_proxies: Annotated[tuple[str, ...], Setting(
        "LIST", "Addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are used, "
        "separated by commas.", "a list of addresses and networks like 10.0.0.0/8", "none", _check_networks,
    )] = ()  # fmt: skip
    allow_hosts: Annotated[tuple[Host, ...], Meta(min_length=1), Setting(
        "LIST", "Accepted values of the Host header, without ports, separated by commas. Others get 400.",
        "a list of hosts like rui.example.org, in lower case and without ports,", "*, all of them",
    )] = ("*",)  # fmt: skip
    workers: Annotated[int, Meta(ge=1, le=1024), Setting(
        "NUMBER", "Number of processes. More than one needs PostgreSQL.", "a number from 1 to 1024",
    )] = 1  # fmt: skip
    cache_max_age: Annotated[int, Meta(ge=0, le=YEAR), Setting(
        "SECONDS", "How long browsers and shared caches may use specs, pages and documentation without "
        "asking. Needs `--base-url`.", f"a number of seconds up to {YEAR}", "0, they ask each time",
    )] = 0  # fmt: skip
    store: Annotated[str, Setting(
        "URL", "Store of the specs: `sqlite:///PATH`, relative to the working directory or, with a fourth "
        "slash, absolute; or `postgresql://USER@HOST/DATABASE`, with the password in `PGPASSWORD` or `~/.pgpass`.",
        "a URL", "sqlite:///rui.db, which is ./rui.db", check_store,
    )] = "sqlite:///rui.db"  # fmt: skip
    store_max_bytes: Annotated[Annotated[int, Meta(ge=0)] | None, Setting(
        "NUMBER", "Maximum size of the store. Above it, storing gets 503, and specs are still fetched. `0`: no "
        "limit.", f"0, or a number of bytes from {MIN_STORE_BYTES}",
        "1073741824 (1 GiB) for SQLite, none for PostgreSQL", _check_store_size,
    )] = None  # fmt: skip
    log_level: Annotated[Literal["debug", "info", "warning", "error"], Setting(
        "LEVEL", "Lowest level of log lines: debug, info (a line per request), warning or error.",
        "debug, info, warning or error",
    )] = "info"  # fmt: skip
    log_format: Annotated[Literal["auto", "json", "text"], Setting(
        "FORMAT", "Format of log lines on standard error: json, an object per line; text, for people; "
        "auto, text on a terminal and else json.", "auto, json or text",
    )] = "auto"  # fmt: skip
    metrics_port: Annotated[Port, Setting(
        "PORT", "Port on which Prometheus gets metrics of all workers, at the address of `--host`. `0`: "
        "no metrics.", "a number from 0 to 65535",
    )] = 0  # fmt: skip

    @property
    def max_bytes(self) -> int:
        """The limit of the size of the store; 0 for none."""
        if self.store_max_bytes is not None:
            return self.store_max_bytes
        if is_postgres(self.store):
            return 0
        return 1 << 30  # anybody can store specs, until the disk is full


class Option:
    """A field of `Settings` with its names in each source of settings."""

    def __init__(self, field: FieldInfo) -> None:
        self.name = field.name
        self.type = field.type
        self.default = field.default
        self.setting: Setting = next(data for data in field.type.__metadata__ if isinstance(data, Setting))
        self.key = field.name.replace("_", "-")
        self.flag = f"--{self.key}"
        self.variable = f"RUI_{field.name.upper()}"
        self.shown_default = self.setting.default or str(field.default)


OPTIONS = tuple(map(Option, fields(Settings)))  # every setting, in the order of `Settings`
