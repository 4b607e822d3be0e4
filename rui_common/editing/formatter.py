r"""The formatter: canonical order of properties, and one layout.

The layout has two spaces a level, one property a line, and a line end at the end of the text:

- an empty object or array is ``{}`` or ``[]``;
- an array that contains only strings, numbers, booleans and nulls is on one line if it fits in `WIDTH` of
  `rui_common.editing.edits`;
- so is an object with only such values that is an element of an array and not a node. Lists of columns, options or
  navigation items read like tables;
- all other objects and arrays have several lines: nodes, bindings, ``meta``.

The result depends on the value and on the spelling of its strings and numbers, not on the previous layout, so
formatting is idempotent. Strings and numbers are copied (``1.0`` does not become ``1``, nor ``"\u00e9"`` ``"é"``).
A byte-order mark is kept. If the first line ends with CRLF, all lines do.
"""

from rui_common.editing.edits import SeveralLines, format_json
from rui_common.editing.normal_form import canonical_names, registered_children
from rui_common.nodes.node import Node
from rui_common.syntax.reader import BOM
from rui_common.syntax.tree import Member
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.kinds import NodeKind


class CannotFormatError(ValueError):
    """Formatting the text would lose a part of it. The cause is at `offset` (code points)."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def format_document(analysis: Analysis) -> str:
    """Return the canonical text of a document (docs/decisions.md, section 5, for the order of properties).

    It has the value of the document, including values that break rules.

    Raises:
        CannotFormatError: the document has syntax errors or duplicate keys, or its root is not an object. So has a
            root that contains the document, or is a part of one.
    """
    document = analysis.document
    about_root = analysis.findings[0].about_root if analysis.findings else ()
    for suggestion in about_root:
        if suggestion.sentence is not None:
            raise CannotFormatError(suggestion.sentence.text.removesuffix("."), document.range_of(()).start)
    if not document.valid:
        error = document.syntax[0]
        raise CannotFormatError(error.message, error.span.start)
    value = document.value
    root = document.find(())
    assert root is not None  # noqa: S101  it has a value
    if not isinstance(value, dict):
        raise CannotFormatError("The root is not an object", root.start)
    for duplicate in document.duplicate_keys():
        name = document.text[duplicate.span.start : duplicate.span.end]
        message = f"The property {name} occurs twice, and one of the two would be lost"
        raise CannotFormatError(message, duplicate.span.start)
    tree = _source_tree(analysis, value, root, analysis.tree.root)
    text = format_json(tree, write=str, is_element=False) + "\n"
    if document.text.startswith(BOM):  # Bytes have theirs before the text.
        text = BOM + text
    first_line = document.text[: document.text.find("\n") + 1]
    if not first_line.endswith("\r\n"):
        return text
    return text.replace("\n", "\r\n")


def _source_tree(analysis: Analysis, value: object, member: Member, node: Node | None) -> object:
    """Return a value in canonical order, with the source texts of its keys and scalars in their place.

    Its place is `member`; `node` is its node if the vocabulary declares it.
    """
    text = analysis.document.text
    inner = {} if node is None else registered_children(analysis.tree, node)
    members = member.members() or ()
    if isinstance(value, dict):
        tree: dict[str, object] = {}
        if node is not None and isinstance(node.kind, NodeKind):
            tree = SeveralLines()
        by_name = {child.step: child for child in members}
        for name in canonical_names(value, None if node is None else node.shape):
            child = by_name[name]
            assert child.key_span is not None  # noqa: S101  it is a property
            tree[text[slice(*child.key_span)]] = _source_tree(analysis, value[name], child, inner.get(name))
        return tree
    if isinstance(value, list):
        pairs = zip(value, members, strict=True)
        return [
            _source_tree(analysis, element, child, inner.get(index)) for index, (element, child) in enumerate(pairs)
        ]
    return text[member.start : member.end]
