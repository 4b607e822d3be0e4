"""The names of a text: where they are, and renaming.

One spelling may belong to several symbols: the id of a page is the id of a node, too. For an author it is one name.
"""

from collections.abc import Iterable, Sequence

from rui_common.json_values import as_json
from rui_common.syntax.paths import Path
from rui_common.syntax.spans import Edit, Span
from rui_common.validation.analysis import Analysis
from rui_common.validation.findings import Finding
from rui_common.validation.names import Name
from rui_common.validation.wording import hint_of, message_of
from rui_common.vocabulary.problems import Problem
from rui_common.vocabulary.rules import MESSAGES
from rui_common.vocabulary.schema import Prop, Shape, Symbol, Vocabulary

_QUOTES = ('"', "'")


class NameRefusedError(ValueError):
    """A rename is not possible. The message gives the reason in the words of the rule that the name would break."""


def name_at(analysis: Analysis, offset: int) -> Path | None:
    """Return the path of the name at an offset, or None. Its quotes and the offset after them belong to it."""
    path = analysis.document.path_at(offset)
    span = analysis.document.span_of(path)
    if not analysis.names.at(path) or span is None or not span.start <= offset <= span.end:
        return None
    return path


def name_span(analysis: Analysis, path: Path) -> Span:
    """Return the range of the name at a path, without quotes. It may contain escapes."""
    value = analysis.document.span_of(path)
    if value is None:
        return Span(0, 0)
    start, end = value
    text = analysis.document.text
    quote = text[start : start + 1]
    if quote not in _QUOTES:
        return value
    if end - start > 1 and text[end - 1] == quote:
        end -= 1
    return Span(start + 1, end)


def in_text_order(analysis: Analysis, paths: Iterable[Path]) -> list[Path]:
    """Return the paths of names in text order."""
    return sorted(paths, key=lambda path: name_span(analysis, path))


def rename(analysis: Analysis, path: Path, new: str) -> list[Edit]:
    """Return the edits that rename the name at `path` where it is defined and used.

    The uses of a duplicate name belong to its first definition, so they keep their name if a later one is renamed.

    Raises:
        NameRefusedError: the new name is malformed, or is defined already.
    """
    names = analysis.names
    here = names.at(path)
    definition: Path | None = path
    if not names.is_definition(path):
        definition = next(iter(in_text_order(analysis, names.definitions(path))), None)
    if new == here[0].text:
        return []
    _check_form(analysis, definition or path, new)
    if definition is None:
        return [replacement(analysis, same, new) for same in in_text_order(analysis, names.references(path))]
    definitions = [name for name in names.at(definition) if not name.is_use]
    for name in definitions:
        _check_free(analysis, name, new)
    paths = {definition}
    for name in definitions:
        if name.scope.defined[name.text][0] is name:
            paths.update(other.path for other in name.scope.used.get(name.text, ()))
    return [replacement(analysis, one, new) for one in in_text_order(analysis, paths)]


def _check_form(analysis: Analysis, path: Path, new: str) -> None:
    for name in analysis.names.at(path):
        props = [prop for _, prop in defining_props(name.symbol, analysis.vocabulary)]
        violation = props[0].kind.violation(new) if props else None
        if violation is not None and not any(prop.kind.accepts(new) for prop in props):
            finding = Finding(
                name.node, name.step, violation.problem, violation.rule, new, props[0].kind, violation.expected
            )
            raise NameRefusedError(f"{message_of(finding)} {hint_of(finding)}")
    if not new:  # It is valid for some names, but never intended.
        raise NameRefusedError("The new name is empty: give it at least one character.")


def _check_free(analysis: Analysis, name: Name, new: str) -> None:
    existing: Sequence[Name] = name.scope.defined.get(new, ())
    if not existing or name.symbol.duplicate is None:
        return
    first = existing[0].path
    finding = Finding(name.node, name.step, Problem.DUPLICATE, name.symbol.duplicate, new, related=(first,))
    if "{" in MESSAGES[finding.code][0]:  # the message names it
        raise NameRefusedError(f"{message_of(finding)} {hint_of(finding)}")
    line = analysis.document.lines.line_of(name_span(analysis, first).start) + 1
    raise NameRefusedError(f'"{new}" is defined already, in line {line}: choose another name.')


def replacement(analysis: Analysis, path: Path, new: str) -> Edit:
    """Return the edit that replaces the name at a path; its quotes stay."""
    span = name_span(analysis, path)
    text = as_json(new)
    if analysis.document.text[span.start - 1 : span.start] in _QUOTES:
        text = text[1:-1]
    return Edit(span, text)


def defining_props(symbol: Symbol, vocabulary: Vocabulary) -> list[tuple[Shape, Prop]]:
    """Return the properties that define names of a symbol, each with its shape."""
    own = [(shape, prop) for shape, prop in vocabulary.props if prop.defines is symbol]
    kinds = [prop.kind for _, prop in vocabulary.props if prop.kind.defines is symbol]
    return own + [(shape, shape.props["id"]) for kind in kinds for shape in kind.inner_shapes]
