"""The fix for a copy: the names in it that are defined before get new ones, and the references to them follow.

A node is a copy of another one if all its repeated names are defined there first. They are at least two: one repeated
id is no copy.
"""

from bisect import bisect_left
from collections.abc import Mapping
from typing import NamedTuple

from rui_common.editing.generate import ValueGenerator
from rui_common.editing.names import add_uses, defining_props, replacement, with_uses
from rui_common.nodes.names import Name
from rui_common.nodes.node import Node
from rui_common.suggest import MAX_STEM, kebab_case
from rui_common.syntax.spans import Edit
from rui_common.validation.analysis import Analysis
from rui_common.vocabulary.schema import Symbol

MAX_REPEATED = 50
"""Number of repeated names in a node up to which each of them has the fix. Of more, only the first one has it.

Otherwise the length of all fixes would grow with the square of that number.
"""


class RenamedCopy(NamedTuple):
    """The edits that rename all repeated names in a node."""

    node: Node
    edits: list[Edit | None]
    # whether the node is a copy that differs from its original, so that neither of them is superfluous, and nothing
    # else may be meant by a name or a reference
    is_certain: bool


def rename_copy(analysis: Analysis, name: Name) -> RenamedCopy | None:
    """Rename all repeated names in the copy that contains one of them, or in the outermost node with several.

    References outside of the copy belong to the first definition, except where each definition has one of its own.
    Return None without such a node.
    """
    copy = _node_with_several(name)
    if copy is None or copy.shape is None:
        return None
    repeated = name.scope.repeated[copy]
    if len(repeated.names) > MAX_REPEATED and next(iter(repeated.names)) != name:
        return None
    original = repeated.original(copy)
    renaming = _Renaming(analysis, copy, repeated.names)
    is_other = original is not None and original.shape is copy.shape and original.value != copy.value
    return RenamedCopy(copy, renaming.edits, is_other and renaming.is_certain)


def _node_with_several(name: Name) -> Node | None:
    """Return the outermost node around a repeated name that is a copy, else the outermost one with several; or None."""
    repeated = name.scope.repeated
    nodes: list[Node] = []
    node: Node | None = name.node
    while node is not None:
        if node in repeated and len(repeated[node].names) > 1:
            nodes.append(node)
        node = node.parent
    copies = [node for node in nodes if repeated[node].original(node) is not None]
    return next(reversed(copies or nodes), None)


class _Renaming:
    """The edits that rename the repeated names of a copy."""

    def __init__(self, analysis: Analysis, copy: Node, names: Mapping[Name, int]) -> None:
        self.is_certain = True  # whether no other name and no other reference may be meant
        self._analysis = analysis
        self._generator = ValueGenerator(analysis, copy)
        in_copy = analysis.names.below(copy.path)
        new = with_uses(in_copy, {name.path: self._new_text(name, number) for name, number in names.items()})
        edits: list[Edit | None] = [replacement(analysis, path, text) for path, text in new.items()]
        unreferenced: dict[Symbol, list[str]] = {}
        used = {(name.scope, new[name.path]) for name in in_copy if name.is_use and name.path in new}
        for name in in_copy:
            if name.path in new and name.symbol.unused is not None and (name.scope, new[name.path]) not in used:
                reference = self._reference(name)
                if reference is not None:
                    edits.append(replacement(analysis, reference.path, new[name.path]))
                elif self._needs_reference(name, new[name.path]):
                    unreferenced.setdefault(name.symbol, []).append(new[name.path])
        edits += [add_uses(analysis, symbol, texts) for symbol, texts in unreferenced.items()]
        self.edits = edits

    def _new_text(self, name: Name, number: int) -> str:
        """Return a name that is used and not defined, else a name like the old one with a number."""
        prop = name.prop or defining_props(name.symbol, self._analysis.vocabulary)[0][1]
        like = name.text
        if not prop.kind.accepts(like):
            self.is_certain = False
            like = kebab_case(like)[:MAX_STEM].strip("-")
        if not prop.kind.accepts(like):
            like = str(prop.example)
        used = next(self._generator.undefined_names(prop, name.node.kind), "")
        if used:
            self.is_certain = False
            like = used
        return self._generator.free_name(name.symbol, like, number)

    def _reference(self, name: Name) -> Name | None:
        """Return the use outside of the copy that belongs to a definition: there is one for each, in one list."""
        uses = name.scope.used.get(name.text, [])
        definitions = name.scope.defined[name.text]
        index = bisect_left(definitions, name.path, key=lambda definition: definition.path)
        if len(uses) > 1 or index == 0:  # another one may be meant
            self.is_certain = False
        if not uses or len(uses) != len(definitions) or uses[0].node.parent is not uses[-1].node.parent:
            return None
        return uses[index]

    @staticmethod
    def _needs_reference(name: Name, new: str) -> bool:
        """Return whether a definition breaks a rule under its new name, unless a reference is added."""
        return name.scope.has_all_uses and name.text in name.scope.used and new not in name.scope.used
