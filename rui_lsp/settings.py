"""What a client can set, under the names that an editor shows to its user."""

from __future__ import annotations

DOCS_URL = "https://rui-toolkit.readthedocs.io/rules"
"""Where the pages of the rules are published, unless the client says otherwise."""


class Settings:
    """The settings of one client.

    Attributes:
        docs_url: ``rui.docs.url``, the address of the page of rules; a diagnostic links to an anchor in it.
    """

    __slots__ = ("docs_url",)

    def __init__(self, options: object = None) -> None:
        """Read settings; what is absent or of the wrong type keeps its default.

        Args:
            options: `initializationOptions` as the client sent them: the settings nested
                (``{"rui": {"docs": {"url": …}}}``) or by their full names (``{"rui.docs.url": …}``).
        """
        url = _setting(options, "rui.docs.url")
        self.docs_url = url if isinstance(url, str) and url else DOCS_URL


def _setting(options: object, name: str) -> object:
    """The value of a setting, or None."""
    if not isinstance(options, dict):
        return None
    if name in options:
        return options[name]
    first, _, rest = name.partition(".")
    return _setting(options.get(first), rest) if rest else None
