"""`make bench`: every benchmark in turn, or those that are named; exit 1 if a limit is missed.

The language server's has a target of its own, `make bench-lsp`: it installs its peer from npm. So have the service's,
`make bench-api`, for they start services.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

ON_DEMAND = {
    "language_server", "answers", "beside", "soak", "differential", "restarts", "conformance", "memory", "service_soak",
    "storing", "api", "api_inprocess", "vscode",
}  # fmt: skip


def benchmarks() -> list[str]:
    """The modules here that are one: they have a `main`. The others help them."""
    modules = Path(__file__).parent.glob("[!_]*.py")
    return sorted(path.stem for path in modules if "\ndef main(" in path.read_text(encoding="utf-8"))


def main(names: list[str], options: list[str]) -> int:
    """Run the benchmarks called `names`, or all but those that run on demand; `options` are for those that have some.

    Each is a module here whose ``main()`` prints its ratios and returns whether all of them keep their limits.
    """
    known = benchmarks()
    if not names and options:
        print(f"python -m benchmarks [NAME …] [OPTIONS of the one that is named]\n\n{', '.join(known)}")
        return 0 if options == ["--help"] else 2
    unknown = set(names) - set(known)
    if unknown:
        print(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    missed = [
        name
        for name in names or sorted(set(known) - ON_DEMAND)
        if not importlib.import_module(f"benchmarks.{name}").main(*([options] if options else []))
    ]
    print(f"\n{'missed: ' + ', '.join(missed) if missed else 'every limit is kept'}")
    return 1 if missed else 0


if __name__ == "__main__":
    given = sys.argv[1:]
    first = next((at for at, argument in enumerate(given) if argument.startswith("--")), len(given))
    sys.exit(main(given[:first], given[first:]))
