"""The arguments of a command: one value, or an object of named ones."""

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
            values: ``arguments`` of the request: ``[]``, ``[VALUE]`` or ``[{NAME: VALUE, …}]``.
            first: the name of the argument that can be the VALUE, a string.
            flags: the names of boolean arguments.
            texts: the names of other string arguments.

        Raises:
            JsonRpcInvalidParams: they have another form or another type.
        """
        named = values[0] if values else {}
        if isinstance(named, str):
            named = {first: named}
        if not isinstance(named, dict) or len(values) > 1:
            raise JsonRpcInvalidParams(f"not arguments: {values!r:.100}; {first} is a string")
        names = (first, *flags, *texts)
        for name, value in named.items():
            if name not in names:
                raise JsonRpcInvalidParams(f"unknown argument {name!r:.100}; there is {', '.join(names)}")
            if name in flags and not isinstance(value, bool):
                raise JsonRpcInvalidParams(f"{name} is true or false")
            if name not in flags and not isinstance(value, str):
                raise JsonRpcInvalidParams(f"{name} is a string")
        self._named: dict[str, object] = named

    def text(self, name: str) -> str:
        return str(self._named.get(name, ""))

    def flag(self, name: str, *, default: bool) -> bool:
        return bool(self._named.get(name, default))

    def uri(self) -> str:
        """Return the argument ``uri``, the address of a document.

        Raises:
            JsonRpcInvalidParams: it is missing.
        """
        uri = self.text("uri")
        if not uri:
            raise JsonRpcInvalidParams("the address of a document is needed: uri")
        return uri

    def analysis(self, documents: OpenDocuments) -> Analysis:
        """Return the analysis of the document that ``uri`` names: as it is open, else as it is in its file.

        Raises:
            JsonRpcException: there is none.
        """
        document = documents.find(self.uri())
        if document is not None:
            return document.analysis
        return Analysis(read(read_closed(self.uri())))
