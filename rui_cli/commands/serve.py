"""`rui serve`: the service, which is `rui_api`."""

from __future__ import annotations

from rui_cli.lazy import start


def main(argv: list[str]) -> int:
    """Run it until it is stopped; the exit code. The options are its own."""
    return start("rui_api.commands.serve", "api", argv)
