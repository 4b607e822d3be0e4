"""Which modules a program may ever import: what import statements name, wherever they stand, from some modules on.

That is more than any run imports: a branch for another Python or another system counts, too. What only type checkers
see does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path


def reachable(folder: Path, beginning: Iterable[str]) -> set[Path]:
    """The files of all modules in a folder that some modules may import, and their own.

    Args:
        folder: where packages lie.
        beginning: names of modules. A module whose name is only computed when the program runs belongs here.
    """
    found: dict[Path, str] = {}
    left = [file for name in beginning for file in _files(folder, name)]
    while left:
        file, name = left.pop()
        if file not in found:
            found[file] = name
            left += [one for wanted in imports(file, name) for one in _files(folder, wanted)]
    return set(found)


def _files(folder: Path, name: str) -> Iterator[tuple[Path, str]]:
    """The files and names of a module and of the packages that it is in; none of what is not in the folder."""
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        path = folder.joinpath(*parts[:length])
        for file in (path / "__init__.py", path.with_name(f"{path.name}.py")):
            if file.is_file():
                yield file, ".".join(parts[:length])


def imports(file: Path, name: str) -> Iterator[str]:
    """The names of modules that a module imports; of ``from a import b`` both ``a`` and ``a.b``, which may be one."""
    package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
    for statement in _statements(ast.parse(file.read_bytes())):
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            above = package[: len(package) - statement.level + 1] if statement.level else []
            home = ".".join([*above, *([statement.module] if statement.module else [])])
            yield home
            yield from (f"{home}.{alias.name}" for alias in statement.names)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below one, except for what stands under ``if TYPE_CHECKING``."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).rpartition(".")[2] == "TYPE_CHECKING":
            for other in child.orelse:
                yield other
                yield from _statements(other)
        else:
            yield child
            yield from _statements(child)
