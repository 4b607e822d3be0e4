"""What the bundled packages take from typing_extensions, which the standard library has by now."""

from typing import (  # noqa: F401  whoever imports this module wants them
    Any,
    Literal,
    NotRequired,
    Required,
    Self,
    TypeAlias,
    TypedDict,
    _TypedDictMeta,  # type: ignore[attr-defined]  typing_extensions, too, has it from there
    is_typeddict,
)

try:
    from typing import NoDefault  # type: ignore[attr-defined]  since 3.13
except ImportError:
    NoDefault = object()  # no type parameter has one
