"""What client and server agree on at the start, as plain data: nothing here waits for pygls to be imported.

What the server offers beyond documents and diagnostics stands in the table of `rui_lsp.features`.
"""

from __future__ import annotations

from rui_common.version import TOOL_VERSION
from rui_lsp import features

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from rui_common.syntax.line_index import Encoding

NAME = "rui"
"""What the server calls itself."""

DEFAULT_ENCODING: Final[Encoding] = "utf-16"

_ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
_INCREMENTAL = 2  # TextDocumentSyncKind.Incremental


def choose_encoding(client_capabilities: object) -> Encoding:
    """The first encoding of the client's list that is known here; UTF-16 for a client that lists none.

    Args:
        client_capabilities: ``capabilities`` of the `initialize` request.
    """
    general = client_capabilities.get("general") if isinstance(client_capabilities, dict) else None
    offered = general.get("positionEncodings") if isinstance(general, dict) else None
    for name in offered if isinstance(offered, list) else ():
        for encoding in _ENCODINGS:
            if name == encoding:
                return encoding
    return DEFAULT_ENCODING


def initialize_result(encoding: Encoding) -> dict[str, object]:
    """The result of the `initialize` request."""
    return {
        "capabilities": {
            "positionEncoding": encoding,
            "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": False},
            **features.capabilities(),
        },
        "serverInfo": {"name": NAME, "version": TOOL_VERSION},
    }
