"""What the server has to say to whoever runs it: on standard error, or in the file of ``--log``.

Standard output belongs to the protocol. `logging` takes 10 ms to import and is seldom needed, so it is imported late.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from logging import Logger

_NAME = "rui_lsp"

_tracing = False


def to_file(path: str) -> None:
    """Write everything, every message's method too, to the end of a file.

    Raises:
        OSError: the file cannot be written.
    """
    import logging  # noqa: PLC0415

    global _tracing  # noqa: PLW0603
    _tracing = True
    form = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    logging.basicConfig(filename=path, level=logging.INFO, format=form, encoding="utf-8")
    logging.getLogger(_NAME).setLevel(logging.DEBUG)


def logger() -> Logger:
    """The server's logger; unless there is a file, warnings and worse go to standard error."""
    import logging  # noqa: PLC0415

    logging.basicConfig(level=logging.WARNING, format="rui lsp: %(levelname)s: %(message)s")
    return logging.getLogger(_NAME)


def trace(text: str, *arguments: object) -> None:
    """Note what happens, for the file alone; without one it costs next to nothing."""
    if _tracing:
        logger().debug(text, *arguments)
