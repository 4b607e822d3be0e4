"""The version of this tool."""

from __future__ import annotations


def tool_version() -> str:
    """As it is installed; ``0`` when it runs from a folder without being installed."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  slow

    try:
        return version("rui-toolkit")
    except PackageNotFoundError:
        return "0"
