"""The names that the bundled packages import from typing_extensions, taken from the standard library."""

from typing import (  # noqa: F401  re-exported
    Any,
    Literal,
    NotRequired,
    Required,
    Self,
    TypeAlias,
    TypedDict,
    _TypedDictMeta,  # type: ignore[attr-defined]  typing_extensions re-exports it, too
    is_typeddict,
)

try:
    from typing import NoDefault  # type: ignore[attr-defined]  since 3.13
except ImportError:
    NoDefault = object()  # no type parameter has a default
