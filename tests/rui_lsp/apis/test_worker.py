"""What the worker process returns for descriptions of any kind."""

from __future__ import annotations

from pathlib import Path

from rui_lsp.apis.worker import read_description


def test_deep_nesting_is_a_sentence(tmp_path: Path) -> None:
    for depth in (20, 100, 400, 5_000, 100_000):
        schema = '{"properties": {"a": ' * depth + "{}" + "}}" * depth
        responses = f'{{"200": {{"content": {{"application/json": {{"schema": {schema}}}}}}}}}'
        path = tmp_path / "openapi.json"
        path.write_text(f'{{"openapi": "3.0.0", "paths": {{"/a": {{"get": {{"responses": {responses}}}}}}}}}')
        found = read_description(str(path))
        assert isinstance(found, bytes) if depth <= 100 else "too many levels of nesting" in str(found)
