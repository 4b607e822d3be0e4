"""The result of the search for fixes: a title and edits."""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.editing.edits import Edit

MAX_FIXES = 5
"""Maximum number of alternatives of one kind, such as allowed values."""


class Fix(namedtuple("Fix", ("title", "edits", "is_safe"))):
    """A change of the text that removes a diagnostic.

    Attributes:
        title: text for a menu, such as ``Rename to "label"``.
        edits: the changes of the document's text; never empty.
        is_safe: whether the fix may be applied without review. See `rui_common.fixes.quick_fixes`.
    """

    __slots__ = ()
    title: str
    edits: tuple[Edit, ...]
    is_safe: bool
