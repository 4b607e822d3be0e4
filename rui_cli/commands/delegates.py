"""`rui serve`, `rui store` and `rui lsp`: commands of other packages, which parse their own options."""

from __future__ import annotations

from rui_cli import lazy


def serve(argv: list[str]) -> int:
    """Run the service; return the exit code."""
    return lazy.run("rui_api.commands.serve", "api", argv)


def store(argv: list[str]) -> int:
    """Copy, inspect or maintain a store; return the exit code."""
    return lazy.run("rui_api.commands.store", "api", argv)


def lsp(argv: list[str]) -> int:
    """Run the language server; return the exit code."""
    return lazy.run("rui_lsp.main", "lsp", argv)
