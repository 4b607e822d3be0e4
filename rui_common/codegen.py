"""Functions that are written from the declarations: their names, and what several of them say in the same way."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class CodeWriter:
    """Gives the names in a function that is written from the declarations.

    Attributes:
        constants: what the function gets by name.
    """

    def __init__(self) -> None:
        self.constants: dict[str, object] = {}
        self._variables = 0

    def variable(self, stem: str) -> str:
        """A name that nothing else in the function has."""
        self._variables += 1
        return f"{stem}{self._variables}"

    def constant(self, stem: str, value: object) -> str:
        """The name by which the function gets `value`."""
        name = self.variable(stem)
        self.constants[name] = value
        return name

    def compiled(self, signature: str, body: Iterable[str], title: str) -> object:
        """The function of this name and with these parameters; the lines of its body begin at the margin."""
        source = "\n".join([f"def {signature}:", *(f"    {line}" for line in body)])
        namespace = dict(self.constants)
        exec(compile(source, f"<{title}>", "exec"), namespace)  # noqa: S102  our own declarations
        return namespace[signature.partition("(")[0]]


def startswith_test(start: str, value: str) -> str:
    """Whether a text begins so: all that do stand between two texts, and nothing is cut off to be compared.

    Args:
        start: how it has to begin.
        value: the variable that has the text.
    """
    behind = start[:-1] + chr(ord(start[-1]) + 1)
    return f"{start!r} <= {value} < {behind!r}"


def indent_block(head: str, body: Iterable[str]) -> list[str]:
    """`body` under `head`, or nothing."""
    inner = [f"    {line}" for line in body]
    return [head, *inner] if inner else []
