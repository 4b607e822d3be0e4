"""Stripped modules have the same statements in the same lines."""

import ast
from pathlib import Path

import pytest

from editors.strip_docstrings import strip_docstrings

ROOT = Path(__file__).parents[2]
MODULES = sorted(path for name in ("rui_common/syntax", "rui_lsp") for path in (ROOT / name).rglob("*.py"))


def statements(source: str) -> list[str]:
    """Return all nodes of a module with their lines, except string statements."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [  # type: ignore[attr-defined]
                one for one in body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
            ]
    return [ast.dump(node, include_attributes=False) + str(getattr(node, "lineno", "")) for node in ast.walk(tree)]


def test_statements_stay_in_their_lines() -> None:
    for path in MODULES:
        source = path.read_text()
        stripped = strip_docstrings(source)
        assert statements(stripped) == statements(source), path
        assert stripped.count("\n") == source.count("\n")
        assert strip_docstrings(stripped) == stripped


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('def f():\n    """é"""; x = 1  # why\n    return x\n', "def f():\n    0; x = 1\n    return x\n"),
        ('class A:\n    """Only\n    words."""\n\nb = "# no comment"\n', 'class A:\n    0\n\n\nb = "# no comment"\n'),
    ],
)
def test_special_cases(source: str, expected: str) -> None:
    assert strip_docstrings(source) == expected
