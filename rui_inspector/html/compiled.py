"""Shapes → functions that write their objects, generated from the vocabulary as f-strings.

Nearly every object of nearly every document has the properties that its shape declares, in canonical order, each of
the type that it should have. For such objects a function is generated once; it raises TypeError when it meets anything
else, and then the object is written property by property.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rui_common.vocabulary.schema import Prop, Shape

    Written = Callable[..., str]


def compiled(name: str, arguments: str, body: list[str], constants: Mapping[str, object]) -> Any:  # noqa: ANN401
    """A generated function."""
    source = "\n".join([f"def {name}({arguments}):", *(f"    {line}" for line in body)])
    namespace: dict[str, object] = {**constants}
    exec(compile(source, f"<{name}>", "exec"), namespace)  # noqa: S102  our own declarations
    return namespace[name]


def declared(shape: Shape, names: tuple[str, ...]) -> list[Prop] | None:
    """The declarations of properties if the shape has them all and they stand in canonical order, else None."""
    props = [prop for prop in (*shape.props.values(), *shape.suggested.values()) if prop.name in names]
    return props if tuple(prop.name for prop in props) == names else None


def is_string(prop: Prop) -> bool:
    """Whether the values of a property are strings."""
    return prop.kind.json_type == "string"


@lru_cache(256)
def is_flat(shape: Shape) -> bool:
    """Whether its objects hold strings alone, so far as that is declared."""
    return all(is_string(prop) for prop in (*shape.props.values(), *shape.suggested.values()))


class Code(str):
    """A piece of a pattern that is computed, as an expression; other pieces stand for themselves."""

    __slots__ = ()


def pattern(pieces: Sequence[str]) -> str:
    """The source of a string that is put together from pieces: literals beside each other are one for Python."""
    return " ".join([f'f"{{{piece}}}"' if isinstance(piece, Code) else repr(piece) for piece in pieces]) or repr("")


class Functions(dict[tuple[str, ...], "Written | None"]):
    """The functions for objects of one shape, by the properties that they have, in their order.

    There is None for objects with something about them that nobody declared.

    Args:
        shape: the shape.
        make: makes a function for such properties.
    """

    def __init__(self, shape: Shape, make: Callable[[Shape, list[Prop]], Written]) -> None:
        super().__init__()
        self._shape = shape
        self._make = make

    def __missing__(self, names: tuple[str, ...]) -> Written | None:
        props = declared(self._shape, names)
        if props is None:
            return None
        made = self[names] = self._make(self._shape, props)
        return made


class PerShape:
    """Functions for objects of any shape.

    Args:
        make: makes a function for objects of a shape that have some of its properties.
    """

    def __init__(self, make: Callable[[Shape, list[Prop]], Written]) -> None:
        self._make = make
        self._made: dict[Shape, Functions] = {}

    def of(self, shape: Shape) -> Functions:
        """Those for one shape."""
        found = self._made.get(shape)
        if found is None:
            found = self._made[shape] = Functions(shape, self._make)
        return found
