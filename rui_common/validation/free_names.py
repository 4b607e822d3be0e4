"""Names in examples: free names in place of those that a document, or another example, has already."""

from __future__ import annotations

import re

from rui_common.suggest import kebab_case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_common.validation.model import SuggestedNames, UsedNames
    from rui_common.vocabulary.schema import Symbol

MAX_STEM = 58
"""Characters of an id before a number is appended. An id has at most 64."""

_NUMBER = r"-?[0-9]+\Z"


class FreshIdPlaceholder(str):
    """A name in an example that has to be replaced by a free one."""

    __slots__ = ()


class KeepIdPlaceholder(str):
    """A name in an example that the document has already at this path."""

    __slots__ = ()


def placeholder_name(symbol: Symbol) -> str:
    """Return a name for a document without usable words, such as ``page-1``."""
    return kebab_case(symbol.name.partition(" ")[0]) + "-1"


def with_free_ids(example: object, used_names: UsedNames, suggested_names: SuggestedNames) -> object:
    """Return an example in which placeholders, and the ids of nodes, are free names.

    Args:
        example: the example.
        used_names: the names in use.
        suggested_names: names in other examples; the new names are added.
    """
    if isinstance(example, FreshIdPlaceholder):
        return free_name(example, used_names, suggested_names)
    if isinstance(example, list):
        return [with_free_ids(element, used_names, suggested_names) for element in example]
    if not isinstance(example, dict):
        return example
    is_node = "type" in example
    adapted: dict[str, object] = {}
    for name, value in example.items():
        if type(value) is str:  # not a placeholder
            adapted[name] = value
            if is_node and name == "id":
                adapted[name] = free_name(value, used_names, suggested_names)
        else:
            adapted[name] = with_free_ids(value, used_names, suggested_names)
    return adapted


def free_name(name: str, used_names: UsedNames, suggested_names: SuggestedNames) -> str:
    """Return the name, with the lowest number that makes it free, and add it to the suggested names.

    Numbers continue after the last one of the same stem, so that many names of one stem do not take quadratic time.
    """
    stem = name
    if name[-1:].isdigit():
        stem = re.sub(_NUMBER, "", name) or name
    stem = stem[:MAX_STEM]
    number = suggested_names.numbers.get(stem, 1)
    while name in suggested_names.names or any(name in names for names in used_names):
        number += 1
        name = f"{stem}-{number}"
    suggested_names.numbers[stem] = number
    suggested_names.names.add(name)
    return name
