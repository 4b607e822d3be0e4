"""Loading what is needed by name, when it is needed."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def load(name: str) -> ModuleType:
    """The module of this name, without loading `importlib` for this alone."""
    __import__(name)
    return sys.modules[name]
