"""The server log: standard error, or the file of ``--log``. Standard output belongs to the protocol."""

import logging
import os
import select
from typing import TextIO

from pygls.exceptions import JsonRpcException, JsonRpcInternalError

logger = logging.getLogger("rui_lsp")


def configure_log(path: str | None) -> None:
    """Send the log to standard error, from warnings on, or all of it to the end of a file.

    Raises:
        OSError: the file cannot be written.
    """
    pygls_logger = logging.getLogger("pygls.protocol.json_rpc")
    # Its warnings are ours, or about requests that were cancelled after the answer.
    pygls_logger.setLevel(logging.ERROR)
    pygls_logger.addFilter(is_fault)
    if path is None:
        form = "rui lsp: %(levelname)s: %(message)s"
        logging.basicConfig(level=logging.WARNING, format=form, handlers=[_ErrorHandler()])
        return
    form = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    logging.basicConfig(filename=path, level=logging.WARNING, format=form, encoding="utf-8")
    logger.setLevel(logging.DEBUG)


class _ErrorHandler(logging.StreamHandler[TextIO]):
    """Writes to standard error. If the client does not read it, lines are lost: the server does not wait for that."""

    def emit(self, record: logging.LogRecord) -> None:
        if os.name == "posix" and not select.select([], [self.stream], [], 0)[1]:  # Windows cannot ask a pipe.
            return
        super().emit(record)


def is_fault(record: logging.LogRecord) -> bool:
    """Return whether a record of pygls belongs into the log: a request that is answered with an error does not."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, JsonRpcException) or isinstance(error, JsonRpcInternalError)
