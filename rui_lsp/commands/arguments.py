"""The arguments of a command: one value, or an object of named ones."""

from collections.abc import Sequence

from pygls.exceptions import JsonRpcInvalidParams

from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from rui_lsp.session.documents import OpenDocuments
from rui_lsp.session.files import read_closed


class Arguments:
    """The arguments of one command, by name."""

    def __init__(self, values: Sequence[object], **defaults: str | bool) -> None:
        """Read arguments.

        Args:
            values: ``arguments`` of the request: ``[]``, ``[VALUE]`` or ``[{NAME: VALUE, …}]``.
            defaults: the names of the arguments, with their defaults of the same type. VALUE is that of the first.

        Raises:
            JsonRpcInvalidParams: they have another form or another type.
        """
        first = next(iter(defaults))
        named = values[0] if values else {}
        if isinstance(named, str):
            named = {first: named}
        if not isinstance(named, dict) or len(values) > 1:
            raise JsonRpcInvalidParams(f"not arguments: {values!r:.100}; {first} is a string")
        for name, value in named.items():
            if name not in defaults:
                raise JsonRpcInvalidParams(f"unknown argument {name!r:.100}; there is {', '.join(defaults)}")
            if type(value) is not type(defaults[name]):
                form = "a string" if isinstance(defaults[name], str) else "true or false"
                raise JsonRpcInvalidParams(f"{name} is {form}")
        self._values = defaults | named

    def text(self, name: str) -> str:
        return str(self._values[name])

    def flag(self, name: str) -> bool:
        return bool(self._values[name])

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
