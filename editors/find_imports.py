"""Finds the modules that a program can import: everything that `import` statements name, starting from some modules.

Statements for other Python versions or systems are included. ``if TYPE_CHECKING`` blocks are not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path


def find_imported_files(folder: Path, roots: Iterable[str]) -> set[Path]:
    """Return the files of all modules in a folder that the root modules can import, and of the roots.

    Args:
        folder: the folder that contains the packages.
        roots: names of modules. Modules that are imported by a computed name must be listed here.
    """
    names: dict[Path, str] = {}
    pending = [module for root in roots for module in _module_files(folder, root)]
    while pending:
        file, name = pending.pop()
        if file in names:
            continue
        names[file] = name
        for imported in imported_names(file, name):
            pending += _module_files(folder, imported)
    return set(names)


def _module_files(folder: Path, name: str) -> Iterator[tuple[Path, str]]:
    """Yield the file and name of a module and of the packages that contain it, if they are in the folder."""
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        path = folder.joinpath(*parts[:length])
        for file in (path / "__init__.py", path.with_name(f"{path.name}.py")):
            if file.is_file():
                yield file, ".".join(parts[:length])


def imported_names(file: Path, name: str) -> Iterator[str]:
    """Yield the names that a module imports. ``from a import b`` yields both ``a`` and ``a.b``, a possible module."""
    package = name.split(".")
    if file.name != "__init__.py":
        package.pop()
    for statement in _run_time_nodes(ast.parse(file.read_bytes())):
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            parts = []
            if statement.level:
                parts = package[: len(package) - statement.level + 1]
            if statement.module:
                parts.append(statement.module)
            source = ".".join(parts)
            yield source
            yield from (f"{source}.{alias.name}" for alias in statement.names)


def _run_time_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes below a node, except those under ``if TYPE_CHECKING``."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).rpartition(".")[2] == "TYPE_CHECKING":
            for other in child.orelse:
                yield other
                yield from _run_time_nodes(other)
        else:
            yield child
            yield from _run_time_nodes(child)
