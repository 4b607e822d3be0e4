"""What an operator can set: each by an option of ``rui serve`` or by an environment variable; the option wins."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from rui_api.store.address import check_store

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_PORT = 65_535
MAX_CONNECTIONS = 1_000_000


class SettingsError(ValueError):
    """A setting that cannot be used; the message is one line for the operator."""


@dataclass(frozen=True)
class Settings:
    """How the service runs.

    Attributes:
        host: the address to listen on.
        port: the port to listen on; 0 lets the system choose.
        store: where specs are kept, as a URL.
        base_url: how clients reach the service, without a slash at its end; "" takes it from each request.
        allowed_origins: the origins whose pages may call the service; ``*`` means all.
        trusted_proxies: the addresses whose forwarded headers count.
        allowed_hosts: the hosts that requests may be for, in lower case and without a port; ``*`` means all.
        max_connections: how many clients may be connected to one process at the same time.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    store: str = "sqlite:///rui.db"
    base_url: str = ""
    allowed_origins: tuple[str, ...] = ("*",)
    trusted_proxies: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] = ("*",)
    max_connections: int = 2000


@dataclass(frozen=True)
class Option:
    """One setting as the operator sees it.

    Attributes:
        name: the attribute of `Settings`.
        flag: the option of ``rui serve``.
        variable: the environment variable.
        metavar: what the option takes.
        help: what it does.
    """

    name: str
    flag: str
    variable: str
    metavar: str
    help: str


OPTIONS = (
    Option("host", "--host", "RUI_HOST", "ADDRESS", "address to listen on (default: 127.0.0.1)"),
    Option("port", "--port", "RUI_PORT", "PORT", "port to listen on; 0 takes any free one (default: 8000)"),
    Option("store", "--store", "RUI_STORE", "URL",
           "where specs are kept: sqlite:///PATH, relative to the working directory, or with a fourth slash "
           "absolute; or postgresql://USER@HOST/DATABASE (default: sqlite:///rui.db, which is ./rui.db)"),
    Option("base_url", "--base-url", "RUI_BASE_URL", "URL",
           "how clients reach the service, for the addresses in its answers (default: as each request says)"),
    Option("allowed_origins", "--allow-origins", "RUI_ALLOW_ORIGINS", "LIST",
           "origins whose pages may call the service, with commas between them (default: *, all of them)"),
    Option("trusted_proxies", "--trust-proxies", "RUI_TRUST_PROXIES", "LIST",
           "addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto count, with commas "
           "between them (default: none)"),
    Option("allowed_hosts", "--allow-hosts", "RUI_ALLOW_HOSTS", "LIST",
           "hosts that requests may be for, with commas between them; others are refused (default: *, all of them)"),
    Option("max_connections", "--max-connections", "RUI_MAX_CONNECTIONS", "NUMBER",
           "how many clients may be connected at the same time; more are answered 503 (default: 2000)"),
)  # fmt: skip


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Refuse in one line, without the usage that argparse would print."""
        raise SettingsError(message)


def read_settings(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """Settings from the command line and the environment.

    Args:
        arguments: what follows ``rui serve``. ``--help`` prints the options and raises SystemExit(0).
        environment: the environment variables; an empty one counts as absent.

    Raises:
        SettingsError: an option is unknown or a value cannot be used; the message names it.
    """
    given = vars(_parser().parse_args(arguments))
    values: dict[str, object] = {}
    for option in OPTIONS:
        text, source = given[option.name], option.flag
        if text is None:
            text, source = environment.get(option.variable) or None, option.variable
        if text is not None:
            try:
                values[option.name] = _READERS[option.name](text.strip())
            except ValueError as error:
                raise SettingsError(f"{source}: {error}") from None
    return Settings(**values)  # type: ignore[arg-type]


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="rui serve",
        description="Run the service: validate, store and show RUIs over HTTP.",
        epilog="Every option can also be given as an environment variable, named in brackets.",
        allow_abbrev=False,
    )
    for option in OPTIONS:
        parser.add_argument(
            option.flag, dest=option.name, metavar=option.metavar, help=f"{option.help} [{option.variable}]"
        )
    return parser


def _host(text: str) -> str:
    if not text:
        raise ValueError("an address is needed, such as 127.0.0.1 or 0.0.0.0")
    return text


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= MAX_PORT):
        raise ValueError(f"a port is a number from 0 to {MAX_PORT}, not {text!r}")
    return int(text)


def _store(text: str) -> str:
    check_store(text)
    return text


def _base_url(text: str) -> str:
    wrong = ValueError(f"a base URL is like https://rui.example.org, without query or fragment, not {text!r}")
    if not text.isascii() or not text.isprintable() or any(character in text for character in ' "<>\\^`{|}@?#'):
        raise wrong
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        raise wrong from None
    if not usable:
        raise wrong
    return text.rstrip("/")


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _hosts(text: str) -> tuple[str, ...]:
    return _list(text.lower())


def _connections(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= MAX_CONNECTIONS):
        raise ValueError(f"the number of connections is a number from 1 to {MAX_CONNECTIONS}, not {text!r}")
    return int(text)


_READERS = {
    "host": _host,
    "port": _port,
    "store": _store,
    "base_url": _base_url,
    "allowed_origins": _list,
    "trusted_proxies": _list,
    "allowed_hosts": _hosts,
    "max_connections": _connections,
}
