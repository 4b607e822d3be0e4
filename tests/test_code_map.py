"""docs/code-map.md is what `make docs` writes, and each module of the product has a docstring for it."""

import ast

import pytest

from docs.code_map import PACKAGES, PAGE, ROOT, code_map

MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def test_the_code_map_is_what_make_docs_writes() -> None:
    assert PAGE.read_text(encoding="utf-8") == code_map()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_module_has_a_docstring(path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
