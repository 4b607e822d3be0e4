"""Run benchmarks and print one table: `python -m benchmarks [NAME …] [OPTIONS of the named one]`.

The exit code is 1 if a limit is missed or something could not be measured.
"""

import importlib
import os
import sys
from pathlib import Path

from benchmarks import NotMeasuredError


def benchmarks() -> list[str]:
    """Return the names of the benchmarks: the modules that define `rows`."""
    modules = Path(__file__).parent.glob("[!_]*.py")
    return sorted(path.stem for path in modules if "\ndef rows(" in path.read_text(encoding="utf-8"))


def main(names: list[str], options: list[str]) -> int:
    """Run the named benchmarks, or all, and return the exit code."""
    known = benchmarks()
    unknown = set(names) - set(known)
    if unknown or (options and len(names) != 1):
        print(f"usage: python -m benchmarks [NAME …], or NAME [OPTIONS]\nbenchmarks: {', '.join(known)}")
        return 0 if options == ["--help"] else 2
    missed = [name for name in names or known if not run(name, options)]
    print(f"\nmissed: {', '.join(missed)}" if missed else "\nevery limit is kept")
    return 1 if missed else 0


def run(name: str, options: list[str]) -> bool:
    """Print the rows of a benchmark; return whether every limit is kept."""
    module = importlib.import_module(f"benchmarks.{name}")
    print(f"\n{name}: {module.__doc__.splitlines()[0]}", flush=True)
    is_kept = True
    try:
        for row in module.rows(options):
            print(row, flush=True)
            is_kept &= row.is_kept
    except NotMeasuredError as error:
        print(f"  NOT MEASURED: {error}")
        return False
    return is_kept


def split_arguments(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Split a command line into names and the options that follow them."""
    for position, argument in enumerate(arguments):
        if argument.startswith("-"):
            return arguments[:position], arguments[position:]
    return arguments, []


if __name__ == "__main__":
    # Installed programs have bytecode: without it, each start would compile the sources.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.exit(main(*split_arguments(sys.argv[1:])))
