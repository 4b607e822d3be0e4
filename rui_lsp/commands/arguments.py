"""The arguments of a command: one value, an object of named ones, or both."""

from __future__ import annotations

from collections.abc import Sequence

from pygls.exceptions import JsonRpcInvalidParams

from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_lsp.session.documents import OpenDocuments
from rui_lsp.session.files import read_closed


class Arguments:
    """The arguments of one command, by name."""

    def __init__(
        self,
        values: Sequence[object],
        first: str,
        flags: tuple[str, ...] = (),
        texts: tuple[str, ...] = (),
    ) -> None:
        """Read arguments.

        Args:
            values: ``arguments`` of the request: ``[VALUE]``, ``[{NAME: VALUE, …}]``, or ``[VALUE, {NAME: VALUE, …}]``.
            first: the name of the argument that can be the VALUE, a string.
            flags: the names of boolean arguments.
            texts: the names of other string arguments.

        Raises:
            JsonRpcInvalidParams: they have another form or another type.
        """
        self._named: dict[str, object] = {}
        for number, value in enumerate(values):
            if number == 0 and isinstance(value, str):
                self._named[first] = value
            elif isinstance(value, dict) and number == len(values) - 1 and number < 2:
                self._named.update(value)
            elif value is not None:
                raise JsonRpcInvalidParams(f"not an argument: {value!r:.100}; {first} is a string")
        names = (first, *flags, *texts)
        for name, value in self._named.items():
            if name not in names:
                raise JsonRpcInvalidParams(f"unknown argument {name!r:.100}; there is {', '.join(names)}")
            if name in flags and not isinstance(value, bool):
                raise JsonRpcInvalidParams(f"{name} is true or false")
            if name in (first, *texts) and not isinstance(value, str):
                raise JsonRpcInvalidParams(f"{name} is a string")

    def text(self, name: str) -> str:
        return str(self._named.get(name, ""))

    def flag(self, name: str, *, default: bool) -> bool:
        """Return a boolean argument, or `default` if the client sent none."""
        return bool(self._named.get(name, default))

    def analysis(self, workspace: OpenDocuments) -> Analysis:
        """Return the analysis of the document that ``uri`` names: as it is open, else as it is in its file.

        Raises:
            JsonRpcException: there is none.
        """
        document = workspace.find(self.text("uri"))
        if document is not None:
            return document.analysis
        return Analysis(read(self.source(workspace)))

    def source(self, workspace: OpenDocuments) -> str | bytes:
        """Return the source of the document that ``uri`` names: the text that is open, else the bytes of the file.

        Raises:
            JsonRpcException: there is none.
        """
        uri = self.text("uri")
        if not uri:
            raise JsonRpcInvalidParams("the address of a document is needed: uri")
        document = workspace.find(uri)
        if document is not None:
            return document.source
        return read_closed(uri)
