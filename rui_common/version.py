"""The version of the toolkit, as in `pyproject.toml`. Reading it from the installed package takes milliseconds."""

from __future__ import annotations

TOOL_VERSION = "0.1.0"
