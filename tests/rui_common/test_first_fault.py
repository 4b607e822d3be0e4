"""The first fault of long broken texts: where it is, in the words of short ones, found without reading all of them."""

import json
import tracemalloc

import pytest

from benchmarks.hostile_bodies import hostile_bodies
from benchmarks.sample import sample_text
from rui_common.syntax import first_error as module
from rui_common.syntax.document import read
from rui_common.syntax.errors import SyntaxFault
from rui_common.syntax.recovery import parser as recovery
from rui_common.syntax.recovery.builder import Builder
from rui_common.validation.diagnostics import where_broken

TEXT = sample_text(40_000)
LINES = TEXT.splitlines(keepends=True)
MIDDLE = len("".join(LINES[: len(LINES) // 2]))


def whole_and_excerpt(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[SyntaxFault, SyntaxFault]:
    """The first fault when everything is read, and when a little of it is."""
    document = read(text.encode())
    assert not document.valid
    monkeypatch.setattr(module, "MAX_READ_ON", 0)
    return read(text.encode()).syntax[0], document.first_faults()[0]


def spoiled(old: str, new: str) -> str:
    """`TEXT` with `new` for the first `old` behind its middle."""
    at = TEXT.index(old, MIDDLE)
    return TEXT[:at] + new + TEXT[at + len(old) :]


@pytest.mark.parametrize("text", [
    spoiled('"label"', "'label'"), spoiled('"label"', "label"), spoiled('"label": ', '"label" '), spoiled(",\n", "\n"),
    spoiled(",\n", ",,\n"), spoiled('"number"', "True"), spoiled('"number"', "undefined"), spoiled('"number"', "01"),
    spoiled('"number"', "1e999"), spoiled('"number"', "NaN"), spoiled('"number"', '"a\tb"'),
    spoiled('"number"', '"\\x"'),
    spoiled('"number"', '"\\ud800"'), spoiled('"number"', ""), spoiled('"label"', '// words\n"label"'),
    spoiled('"label"', '/* words */"label"'), spoiled('"number"', "“number”"), TEXT + "}", TEXT + "{}", TEXT + " x",
    spoiled('"label": "', '"label": "a "b" c'), "x" + TEXT, "", " ", "[" * 300, TEXT[:-4], "[1,2" * 5_000,
], ids=lambda text: None)  # fmt: skip
def test_words_are_those_of_a_whole_reading(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, excerpt = whole_and_excerpt(text, monkeypatch)
    assert excerpt == whole


@pytest.mark.parametrize("mark", list('{}[]",:\\'))
@pytest.mark.parametrize("size", [2_000, 40_000])
def test_any_mark_gone_or_too_many_is_found_near_by(mark: str, size: int) -> None:
    text = sample_text(size)
    for number in range(5):
        at = text.find(mark, size * number // 6)
        for broken in (text[:at] + text[at + 1 :], text[:at] + mark + text[at:]):
            document = read(broken.encode())
            if not document.valid:
                fault = document.first_faults()[0]
                assert 0 <= fault.span.start <= fault.span.end <= len(broken) + 1
                assert fault.message
                assert fault.hint


def test_a_late_fault_is_told_in_the_line_where_it_is() -> None:
    document = read(spoiled('"label"', "'label'").encode())
    line, _ = document.lines.position(document.first_faults()[0].span.start, "utf-32")
    assert "'label'" in document.text.splitlines()[line]


def test_hostile_bodies_have_one_verdict_and_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what they can bring about, a fault says something; and the strict reader's verdict is not touched."""
    bodies = hostile_bodies()
    assert len(bodies) > 250
    for name, body in list(bodies.items())[::2]:
        document = read(body)
        if not document.valid:
            fault = document.first_faults()[0]
            assert fault.message, name
            assert document._recovered is None, name
        else:
            json.loads(body)


LONG = "a" * 9_000


@pytest.mark.parametrize("text", [
    f"{{'{LONG}': 1}}", f'{{"a": \'{LONG}\'}}', f"{{{LONG}: 1}}", f'{{"a": {LONG}}}', f'{{"a": “{LONG}”}}',
    f"{LONG}\n{{}}",
    f'{{"a": 0{"1" * 9_000}}}', f'{{"a": +{"1" * 9_000}}}', f'{{"a": 0x{"f" * 9_000}}}', f'{{"a": {"yes " * 2_000}}}',
    f'{{"a": \'{LONG}"{LONG[:2_000]}\'}}', f'{{"a": 1, ...{LONG}}}', f"/*{LONG}*/{{}}", f'{{}} "{LONG}"',
], ids=lambda text: text[:9])  # fmt: skip
def test_what_is_long_is_not_told_in_full(text: str) -> None:
    document = read(text)
    assert len(where_broken(document)) < 1_000
    assert max(len(fault.hint) for fault in document.syntax) < 500


def test_nothing_of_a_long_number_is_kept() -> None:
    """A pattern was made of it, which took a second, and Python keeps hundreds of patterns: a gigabyte of these."""
    read(b"9" * 200_000).first_faults()
    tracemalloc.start()
    try:
        for number in range(10):
            [fault] = read(b'{"a": ["%d", %d]}' % ((10**2_000 + number,) * 2) + b" " * 20_000).first_faults()
            assert fault.span.start == 6 + 2_006
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 100_000


@pytest.fixture
def builders(monkeypatch: pytest.MonkeyPatch) -> list[Builder]:
    """Those that were asked for their faults."""
    asked: list[Builder] = []
    true_faults = Builder.faults

    def faults(builder: Builder) -> list[SyntaxFault]:
        asked.append(builder)
        return true_faults(builder)

    monkeypatch.setattr(Builder, "faults", faults)
    return asked


@pytest.mark.parametrize("unit", ["01,", "+1,", '"\\x",', '"a"=1,'])
def test_no_more_is_read_than_is_told(unit: str, builders: list[Builder]) -> None:
    """Numbers with a zero before them took a third of a second to fill 16 KB of text, and three in ten were told of."""
    found = read(unit * (module.MAX_READ_ON // len(unit))).first_faults()
    assert len(found) == module.MAX_TOLD
    assert builders
    assert all(builder.fault_count <= module.MAX_TOLD + 10 for builder in builders)


@pytest.mark.parametrize("unit", ["nul,", "tru "])
def test_what_is_not_told_is_not_read_for_ever(unit: str, builders: list[Builder]) -> None:
    """Of words that may only follow from the fault before them the first is told: 4,000 took a tenth of a second."""
    assert len(read("[" + unit * (module.MAX_READ_ON // len(unit) - 1)).first_faults()) >= 1
    assert 0 < max(builder.messages for builder in builders) <= module.MAX_TOLD + 10


def test_what_is_read_of_a_long_text_is_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """The single quotes of a long text took seconds, and their number was what made it so."""
    sizes: list[int] = []
    true_recover = recovery.recover

    def recover(source, *more):
        sizes.append(len(source.text))
        return true_recover(source, *more)

    monkeypatch.setattr(recovery, "recover", recover)
    for body in [body for body in hostile_bodies().values() if len(body) > 2 * module.MAX_READ_ON][40::7]:
        document = read(body)
        if not document.valid:
            document.first_faults()[0]
    assert len(sizes) > 10
    assert max(sizes) < 10_000
