"""Generate functions from the declarations of the vocabulary."""

from __future__ import annotations

from collections.abc import Iterable


class CodeWriter:
    """Allocates the names in a generated function, and compiles it.

    Attributes:
        constants: the globals of the function.
    """

    def __init__(self) -> None:
        self.constants: dict[str, object] = {}
        self._variables = 0

    def variable(self, stem: str) -> str:
        """Return a name that is unique in the function."""
        self._variables += 1
        return f"{stem}{self._variables}"

    def constant(self, stem: str, value: object) -> str:
        """Return the name of a new global with this value."""
        name = self.variable(stem)
        self.constants[name] = value
        return name

    def compile_function(self, signature: str, body: Iterable[str], title: str) -> object:
        """Compile a function.

        Args:
            signature: name and parameters.
            body: its lines, without indentation at the first level.
            title: the file name in tracebacks.
        """
        source = "\n".join(indent_block(f"def {signature}:", body))
        namespace = dict(self.constants)
        exec(compile(source, f"<{title}>", "exec"), namespace)  # noqa: S102  the source comes from our declarations
        return namespace[signature.partition("(")[0]]


def indent_block(head: str, body: Iterable[str]) -> list[str]:
    """Return `head` and the indented lines of `body`; no lines if `body` is empty."""
    lines = [f"    {line}" for line in body]
    if not lines:
        return []
    return [head, *lines]
