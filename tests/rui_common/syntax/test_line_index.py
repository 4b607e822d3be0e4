"""Offsets ↔ lines and characters, compared with a model that counts every character."""

from hypothesis import given
from hypothesis import strategies as st

from rui_common.syntax.line_index import LineIndex

ENCODINGS = ["utf-8", "utf-16", "utf-32"]
TEXTS = st.text(alphabet="ab é😀\u2028\u0085\f\v\n\r\ud800", max_size=30) | st.lists(
    st.sampled_from(["x", "é", "😀😀", "\n", "\r\n", "\r", "\u2028", "\u2029", "\u0085", "\f"]), max_size=20
).map("".join)


def lines_of(text: str) -> list[tuple[str, str]]:
    """Return every line and its terminator by a search character by character."""
    lines = [["", ""]]
    for offset, character in enumerate(text):
        if character == "\n" and text[offset - 1 : offset] == "\r":
            lines[-2][1] = "\r\n"
        elif character in "\r\n":
            lines[-1][1] = character
            lines.append(["", ""])
        else:
            lines[-1][0] += character
    return [(line, end) for line, end in lines]


def width(text: str, encoding: str) -> int:
    if encoding == "utf-32":
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return sum(2 if ord(character) > 0xFFFF else 1 for character in text)


@given(TEXTS, st.sampled_from(ENCODINGS))
def test_positions_are_those_of_the_model_and_lead_back(text: str, encoding: str) -> None:
    index = LineIndex(text)
    offset = 0
    for number, (line, end) in enumerate(lines_of(text)):
        for column in range(len(line) + 1):
            position = number, width(line[:column], encoding)
            assert index.position(offset + column, encoding) == position
            assert index.offset(*position, encoding) == offset + column
        assert index.offset(number, 10_000, encoding) == offset + len(line)
        offset += len(line) + len(end)


@given(TEXTS, st.integers(-2, 30), st.integers(-2, 60), st.sampled_from(ENCODINGS))
def test_any_position_is_clamped_into_its_line(text: str, line: int, character: int, encoding: str) -> None:
    index = LineIndex(text)
    offset = index.offset(line, character, encoding)
    if line < 0:
        assert offset == 0
    elif line >= index.line_count:
        assert offset == len(text)
    else:
        found_line, found = index.position(offset, encoding)
        assert found_line == line
        assert found <= max(0, character)
        if offset < index.line_end(line):
            assert found + width(text[offset], encoding) > character
