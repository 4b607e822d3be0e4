"""The core of the RUI toolkit: vocabulary, parser, validator, fixes, editing, versions, documentation, HTTP client.

`check` and `fix` are the library for other programs (docs/library.md).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rui_common.library import AppliedFix, Check, Fixed, Problem, check, fix

__all__ = ["AppliedFix", "Check", "Fixed", "Problem", "check", "fix"]


def __getattr__(name: str) -> object:
    """Import the library on first use: each module of the core imports this package, and most need nothing of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rui_common import library

    return getattr(library, name)
