"""The version of this tool."""

from __future__ import annotations

from rui_common.version import TOOL_VERSION


def tool_version() -> str:
    """As the sources say it."""
    return TOOL_VERSION
