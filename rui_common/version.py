"""The version of the toolkit, as `pyproject.toml` says it; asking the installation takes longer than a start."""

from __future__ import annotations

TOOL_VERSION = "0.1.0"
