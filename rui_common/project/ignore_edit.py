"""Write an entry of `[per-file-ignores]` into the text of a `rui.toml`, and change nothing else."""

import json
import re
import tomllib
from collections.abc import Iterator

from rui_common.editing.edits import apply, indent_at
from rui_common.project.configuration import IGNORES
from rui_common.syntax.spans import Edit, Span

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_HEADER = re.compile(rf"[ \t]*\[[ \t]*[\"']?{IGNORES}[\"']?[ \t]*\][ \t]*(#.*)?$")
_ARRAY = re.compile(r"[ \t]*(\"(?:[^\"\\]|\\.)*\"|'[^']*'|[A-Za-z0-9_-]+)[ \t]*=[ \t]*\[")
_TOKEN = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|#[^\n]*|[\[\],]|\s+|[^\s\"'#\[\],]+")


def ignore_edits(text: str, glob: str, entry: str) -> list[Edit] | None:
    """Return edits that add an entry for a glob, and keep all comments and the layout of a text.

    Return None if the text is no TOML, or if no edit is found after which it says exactly that in addition.
    """
    content = _content(text)
    if content is None or not f"{glob}{entry}".isprintable():
        return None
    table = content.setdefault(IGNORES, {})
    if not isinstance(table, dict) or not isinstance(table.get(glob, []), list):
        return None
    table[glob] = [*table.get(glob, []), entry]
    return next((edits for edits in _candidates(text, glob, entry) if _content(apply(text, edits)) == content), None)


def _content(text: str) -> dict[str, object] | None:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _candidates(text: str, glob: str, entry: str) -> Iterator[list[Edit]]:
    """Yield edits in the array of the glob, else a line at the end of the table, else a table at the end.

    Lines in a text of several lines may look like these: whoever calls this reads the result.
    """
    end = "\r\n" if "\r\n" in text else "\n"
    line = f"{_quoted(glob)} = [{_quoted(entry)}]"
    after_last_entry = 0  # where the last line of the table ends that is neither blank nor a comment
    is_in_table = False
    for match in _LINE.finditer(text):
        words = match[0].strip()
        array = _ARRAY.match(match[0])
        if array is not None and _content(f"{array[1]} = 0") == {glob: 0}:
            yield _in_array(text, match.start() + array.end(), entry, end)
        if words.startswith("["):
            is_in_table = _HEADER.match(words) is not None
        if is_in_table and words and not words.startswith("#"):
            after_last_entry = match.end()
    if after_last_entry:
        is_line_open = text[after_last_entry - 1] != "\n"
        yield [_insertion(after_last_entry, f"{end if is_line_open else ''}{line}{end}")]
    gap = "" if not text else end if text.endswith("\n") else 2 * end
    yield [_insertion(len(text), f"{gap}[{IGNORES}]{end}{line}{end}")]


def _in_array(text: str, start: int, entry: str, end: str) -> list[Edit]:
    """Return edits that append an entry to an array, which begins after its bracket at `start`."""
    last = start  # where the last value ends
    comma = 0  # where the comma after it ends
    close = len(text)
    for token in _TOKEN.finditer(text, start):
        if token[0] == "]":
            close = token.start()
            break
        if token[0] == ",":
            comma = token.end()
        elif not token[0].isspace() and token[0][0] != "#":
            last, comma = token.end(), 0
    if last == start:
        return [_insertion(start, _quoted(entry))]
    if "\n" not in text[last:close]:
        return [_insertion(last, f", {_quoted(entry)}")]
    line_start = text.rfind("\n", 0, last) + 1
    line = _LINE.match(text, line_start)
    line_end = line_start + len(line[0].rstrip("\r\n")) if line else last
    added = f"{end}{indent_at(text, last)}{_quoted(entry)}"
    if comma:
        return [_insertion(line_end, f"{added},")]
    return [_insertion(last, ","), _insertion(line_end, added)] if line_end > last else [_insertion(last, f",{added}")]


def _insertion(offset: int, text: str) -> Edit:
    return Edit(Span(offset, offset), text)


def _quoted(text: str) -> str:
    """Return a basic string of TOML: that of JSON, as all characters are printable."""
    return json.dumps(text, ensure_ascii=False)
