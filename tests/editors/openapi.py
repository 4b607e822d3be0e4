"""A description and a document for the tests of editors."""

from __future__ import annotations

from pathlib import Path

from tests.editors.documents import GOOD
from tests.rui_openapi.shop import SHOP, metric, table

__all__ = ["GOOD", "SHOP", "TOML", "WRONG", "add_description", "metric", "table"]

TOML = '[api]\nopenapi = "openapi.yaml"\n'

WRONG = (
    table("/orders", "items", "id", "stats")
    .replace('"binding"', '\n          "binding"')
    .replace('"columns"', '\n          "columns"')
)
"""A table with a misspelt column; binding and columns are on lines of their own."""


def add_description(folder: Path, text: str = SHOP) -> None:
    """Write a description and the `rui.toml` that names it."""
    (folder / "openapi.yaml").write_text(text, encoding="utf-8")
    (folder / "rui.toml").write_text(TOML, encoding="utf-8")
