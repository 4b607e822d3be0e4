"""Run benchmarks: `python -m benchmarks [NAME …] [OPTIONS of the named one]`.

`make bench` runs those that need no other installation. `make bench-lsp` and `make bench-api` install their peers from
npm; `make bench-vscode` starts an editor. The exit code is 1 if a limit is missed.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

ON_DEMAND = {
    "hostile",
    "language_server", "answers", "differential", "restarts", "memory",
    "page_load", "storing", "api", "api_inprocess", "vscode",
    "hostile_service",
    "real_apis", "scale_rows", "api_typing", "postgres_workers", "postgres_failover",
}  # fmt: skip


def benchmarks() -> list[str]:
    """Return the names of the modules that define `main`; the others are helpers."""
    modules = Path(__file__).parent.glob("[!_]*.py")
    return sorted(path.stem for path in modules if "\ndef main(" in path.read_text(encoding="utf-8"))


def main(names: list[str], options: list[str]) -> int:
    """Run the named benchmarks, or all except `ON_DEMAND`, and return the exit code.

    The ``main(*options)`` of a benchmark prints its ratios and returns whether all limits are kept.
    """
    known = benchmarks()
    if not names and options:
        print(f"usage: python -m benchmarks [NAME …] [OPTIONS]\nbenchmarks: {', '.join(known)}")
        return 0 if options == ["--help"] else 2
    unknown = set(names) - set(known)
    if unknown:
        print(f"unknown benchmark: {', '.join(sorted(unknown))}; known: {', '.join(known)}", file=sys.stderr)
        return 2
    missed = []
    for name in names or sorted(set(known) - ON_DEMAND):
        module = importlib.import_module(f"benchmarks.{name}")
        arguments = [options] if options else []
        if not module.main(*arguments):
            missed.append(name)
    if missed:
        print(f"\nmissed: {', '.join(missed)}")
        return 1
    print("\nevery limit is kept")
    return 0


def split_arguments(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Split a command line into names and the options that follow them."""
    for position, argument in enumerate(arguments):
        if argument.startswith("--"):
            return arguments[:position], arguments[position:]
    return arguments, []


if __name__ == "__main__":
    sys.exit(main(*split_arguments(sys.argv[1:])))
