"""For any content of a file: no traceback, no lost file, no additional errors."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from unicodedata import category

from hypothesis import example, given
from hypothesis import strategies as st

from rui_cli.formats import FORMATS
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from tests.rui_cli.running import VALID, rui
from tests.strategies import mutants

CONTROL = {"Cc", "Cf", "Cs", "Zl", "Zp"}
HARMLESS = "\n\u200c\u200d"

texts = st.text(st.sampled_from('{}[]",:0123456789.eE+-\\ \t\r\n\x00\x1b\u202e\u2028é🎉truefalsn/*"""'), max_size=60)


@st.composite
def incomplete(draw: st.DrawFn) -> bytes:
    """A valid document with changed bytes."""
    data = bytearray(VALID.encode())
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        data[at : at + draw(st.integers(0, 12))] = draw(st.binary(max_size=4) | texts.map(str.encode))
    return bytes(data)


sources = st.one_of(
    st.binary(max_size=80),
    texts.map(str.encode),
    incomplete(),
    mutants.map(lambda value: json.dumps(value, ensure_ascii=False).encode()),
)


@given(sources, st.sampled_from(list(FORMATS)))
def test_checking_anything(source: bytes, format_: str) -> None:
    ran = rui("check", "--format", format_, "-", stdin=source)
    assert ran.code in {0, 1}
    assert ran.err == ""
    # Output for people contains no control characters that move the cursor.
    if format_ in {"full", "concise"}:
        assert not [character for character in ran.out if category(character) in CONTROL and character not in HARMLESS]


@given(sources, st.sampled_from(["check --fix", "format", "format --check"]))
@example(b"// a note", "check --fix")
def test_no_content_is_lost(source: bytes, command: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.rui.json"
        file.write_bytes(source)
        ran = rui(*command.split(), file)
        after = file.read_bytes()
        assert list(Path(folder).iterdir()) == [file]
    assert ran.code in {0, 1}
    assert "internal error" not in ran.err
    if command in {"check --fix", "format"}:
        out = rui(*command.split(), "-", stdin=source).out
        assert "\\x" in out or out.encode() == (b"" if command == "format" and ran.code else after)
    if after == source:
        return
    assert command in {"check --fix", "format"}
    old, new = read(source), read(after)
    assert len(new.all_syntax) <= len(old.all_syntax)
    if command == "format":
        assert new.valid
        assert json.dumps(old.value, sort_keys=True) == json.dumps(new.value, sort_keys=True)
    elif len(new.all_syntax) == len(old.all_syntax):  # a fixed syntax error may reveal other errors
        assert len(diagnose(new)) < len(diagnose(old))
