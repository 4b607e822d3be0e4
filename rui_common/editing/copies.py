"""New names in a copy of a part of a document, where the names of the original would be duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rui_common.editing.edits import apply
from rui_common.editing.generate import ValueGenerator, numbered, stem_of
from rui_common.editing.rename import replacement
from rui_common.json_values import as_list, as_object
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.validation.names import Scope
from rui_common.vocabulary.schema import Role

NewNames = dict[Path, str]  # The path of a name, or of a use of it → its new text


def new_names(analysis: Analysis, paths: Sequence[Path], *, all_of_them: bool) -> NewNames:
    """Return the new names in a copy. Uses in the copy follow; those outside of it belong to the original.

    Args:
        analysis: the document.
        paths: the values that are copied, or that are the copy: adjacent members of one object or array.
        all_of_them: whether the paths are those of the original, so that each of its names needs a new one. Otherwise
            they are those of the copy, and a name that is not defined elsewhere stays.
    """
    names = [name for path in paths for name in analysis.names.below(path)]
    length = len(paths[0])
    region = {*paths}
    generator = ValueGenerator(analysis, analysis.nearest(paths[0][:-1]))
    definitions = [name for name in names if not name.is_use and name.scope.node.path[:length] not in region]
    inside = Counter((name.scope, name.text) for name in definitions)
    found: NewNames = {}
    followed: dict[tuple[Scope, str], str] = {}
    for name in definitions:
        if name.symbol.duplicate is not None:
            others = name.scope.defined[name.text]
            if all_of_them or len(others) > inside[name.scope, name.text] or others[0] is not name:
                found[name.path] = generator.free_name(name.symbol, name.text)
        followed.setdefault((name.scope, name.text), found.get(name.path, name.text))
    for name in names:
        new = followed.get((name.scope, name.text), name.text)
        if name.is_use and new != name.text:
            found[name.path] = new
    return found | dict(_new_options(analysis, paths, all_of_them=all_of_them))


def _new_options(analysis: Analysis, paths: Sequence[Path], *, all_of_them: bool) -> Iterator[tuple[Path, str]]:
    """Yield new values of options: those in one list have different ones, although no rule names them."""
    parent = analysis.nearest(paths[0][:-1])
    candidates: dict[str, Iterator[str]] = {}
    for prop in (prop for shape in parent.kind.inner_shapes for prop in shape.props_with_role(Role.OPTION)):
        taken = Counter(text for value in as_list(parent.value) if (text := _text_of(value, prop.name)))
        for path in paths:
            text = _text_of(parent.get(path[-1]), prop.name)
            if text and (all_of_them or taken[text] > 1):
                further = candidates.setdefault(stem_of(text), numbered(text))  # those before are taken
                new = next(one for one in further if one not in taken)
                taken[text] -= 1
                taken[new] = 1
                yield (*path, prop.name), new


def _text_of(value: object, name: str) -> str:
    text = as_object(value).get(name)
    return text if isinstance(text, str) else ""


def text_with(analysis: Analysis, span: Span, names: Mapping[Path, str]) -> str:
    """Return a part of the text with new names, whose places are in it."""
    edits = [replacement(analysis, path, new) for path, new in names.items()]
    shifted = [Edit(Span(at.start - span.start, at.end - span.start), text) for at, text in edits]
    return apply(analysis.document.text[span.start : span.end], shifted)
