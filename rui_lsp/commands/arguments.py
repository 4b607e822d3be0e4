"""The arguments of a command: one value, an object of named ones, or both."""

from __future__ import annotations

from rui_lsp.protocol.errors import REQUEST_FAILED, InvalidParamsError, LspError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.syntax.document import Document
    from rui_lsp.documents.workspace import Workspace


class Arguments:
    """The arguments of one command, by name."""

    def __init__(self, given: object, first: str, flags: tuple[str, ...] = (), texts: tuple[str, ...] = ()) -> None:
        """Read arguments.

        Args:
            given: ``arguments`` of the request: ``[VALUE]``, ``[{NAME: VALUE, …}]``, or ``[VALUE, {NAME: VALUE, …}]``.
            first: the name of the value that may stand alone, a text.
            flags: the names of the others that are true or false.
            texts: the names of the others that are texts.

        Raises:
            InvalidParamsError: they are nothing like that, or there are others.
        """
        values = given if isinstance(given, list) else [] if given is None else [given]
        self._named: dict[str, object] = {}
        for number, value in enumerate(values):
            if number == 0 and isinstance(value, str):
                self._named[first] = value
            elif isinstance(value, dict) and number == len(values) - 1 and number < 2:
                self._named.update(value)
            elif value is not None:
                raise InvalidParamsError(f"not an argument: {value!r:.100}; {first} is a string")
        for name, value in self._named.items():
            if name not in (first, *flags, *texts):
                raise InvalidParamsError(
                    f"no argument is called {name!r:.100}; there is {', '.join((first, *flags, *texts))}"
                )
            if not isinstance(value, bool if name in flags else str):
                raise InvalidParamsError(f"{name} is {'true or false' if name in flags else 'a string'}")

    def text(self, name: str) -> str:
        """A text, or ``""``."""
        return str(self._named.get(name, ""))

    def flag(self, name: str, *, default: bool) -> bool:
        """A flag."""
        return bool(self._named.get(name, default))

    def document(self, workspace: Workspace) -> Document:
        """The document that ``uri`` names: as it is open, else as it is in its file.

        Raises:
            LspError: there is none.
        """
        opened = workspace.documents.get(self.text("uri"))
        if opened is not None:
            return opened.document
        from rui_common.syntax.document import read  # noqa: PLC0415

        return read(self.source(workspace))

    def source(self, workspace: Workspace) -> str | bytes:
        """The same as it can be read anew: the text that is open, else the bytes in the file.

        Raises:
            LspError: there is none.
        """
        uri = self.text("uri")
        if not uri:
            raise InvalidParamsError("the address of a document is needed: uri")
        opened = workspace.documents.get(uri)
        if opened is not None:
            return str(opened.text)
        from rui_lsp.documents.files_on_disk import path_from_uri  # noqa: PLC0415

        path = path_from_uri(uri)
        try:
            with open(path or "", "rb") as file:  # noqa: PTH123
                return file.read()
        except (OSError, ValueError):
            raise LspError(f"{uri} is not open, and there is no such file.", REQUEST_FAILED) from None
