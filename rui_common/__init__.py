"""The core of the RUI toolkit: vocabulary, parser, validator, fixes, editing, documentation, HTTP client.

The functions listed here are imported on first use, as `rui check` needs few of the modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rui_common.editing.formatter import format_document
    from rui_common.fixes.fix_all import apply_safe_fixes
    from rui_common.syntax.document import read
    from rui_common.validation.diagnostics import diagnose
    from rui_common.validation.validator import validate

__all__ = ["apply_safe_fixes", "diagnose", "format_document", "read", "validate"]

_MODULES = {
    "apply_safe_fixes": "rui_common.fixes.fix_all",
    "diagnose": "rui_common.validation.diagnostics",
    "format_document": "rui_common.editing.formatter",
    "read": "rui_common.syntax.document",
    "validate": "rui_common.validation.validator",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  needed for the lazy names only

    return getattr(import_module(_MODULES[name]), name)
