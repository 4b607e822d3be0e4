"""Removes comments and docstrings from Python sources. Every statement stays in its line.

Tracebacks therefore name the same lines as the sources. The package becomes about a third smaller.
"""

import ast
import io
import tokenize


def strip_docstrings(source: str) -> str:
    """Return the source of a module without comments, docstrings and other string statements.

    Args:
        source: a module that does not read docstrings at run time.
    """
    lines = source.split("\n")
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for statement in body:
            if _is_string(statement):
                _remove(lines, statement, is_only_statement=len(body) == 1)
    for token in tokenize.generate_tokens(io.StringIO("\n".join(lines)).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    return "\n".join(lines)


def _is_string(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _remove(lines: list[str], statement: ast.stmt, *, is_only_statement: bool) -> None:
    """Remove a string statement from its lines. Where the syntax needs a statement, ``0`` replaces it."""
    first = statement.lineno - 1
    last = (statement.end_lineno or statement.lineno) - 1
    prefix = lines[first].encode()[: statement.col_offset].decode()
    suffix = lines[last].encode()[statement.end_col_offset :].decode()
    if is_only_statement or suffix.startswith(";"):
        prefix += "0"
    lines[first : last + 1] = [""] * (last - first + 1)
    lines[first] = prefix.rstrip()
    lines[last] += suffix
