"""`rui store`: copies stored specs, and says what is in a store; that is `rui_api`."""

from __future__ import annotations

from rui_cli.lazy import start


def main(argv: list[str]) -> int:
    """Do it; the exit code. The options are its own."""
    return start("rui_api.commands.store", "api", argv)
