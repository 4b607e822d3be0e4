"""Every text is read, checked, fixed, formatted and shown in time linear to its size."""

import gc
import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest
from litestar.testing import TestClient

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_api.work_process import WorkProcess
from rui_common.describe import minimal_example
from rui_common.syntax.document import read
from rui_common.validation.analysis import Analysis
from tests.inputs.hostile_entries import ALL_ENTRIES
from tests.inputs.hostile_texts import Pattern, patterns
from tests.inputs.hostile_times import MAX_SECONDS, entries_for, judge, measure, shown
from tests.inputs.sample import sample_text
from tests.inputs.short_patterns import seconds, short_patterns
from tests.support.nightly import seeds

SMALL_SIZES = (512, 2_048)
SHORT = [*short_patterns(3)]

# Texts that took quadratic time or longer.
FOUND = {
    "brackets and curly quotes": Pattern("[", '\u201c>"children":['),
    "line ends in an object": Pattern("{", "\n", "", "}"),
    "line ends in an array": Pattern("[1", "\n", "", "]"),
    "line ends": Pattern("", "\n"),
    "line ends after a document": Pattern(json.dumps(minimal_example()), "\n"),
    "line ends of Windows": Pattern('{"a":1', "\r\n", "", "}"),
    "numbers with underscores": Pattern("[", "1_000  "),
    "code fences": Pattern("[", "```\u201d"),
    "brackets of two sorts": Pattern("", "[", "}"),
    "back quotes": Pattern("", "``"),
    "numbers that continue as words": Pattern("[[(/**/", "    a1e999"),
    "nodes in the place of a type": Pattern('{"pages":[{"id":"a","type":', ",{}", "", "]}]}"),
    "braces in a string of a wrapper": Pattern('{"a":"pages: ', "{", "", '"}'),
    "escapes in a string of a wrapper": Pattern('{"a":"pages: ', '\\"{', "", '"}'),
    "documents in strings of a wrapper": Pattern('{"a":[', '"```\\n{\\"pages\\": []}\\n```",', "", "0]}"),
    "programs in strings of a wrapper": Pattern('{"a":[', '"pages = {x};",', "", "0]}"),
    "JSON in strings in the place of items": Pattern('{"meta":{},"navigation":{"items":[', '"{}",', "", "{}]}}"),
    "events of a stream": Pattern("", 'data: {"a": "{\\"pages\\": 1}"}\n'),
    "blocks in the place of pages": Pattern('{"pages":[', '{"id":"a","type":"Metric","label":"b"},', "", "null]}"),
}

FOUND_IN_FIXES = {
    "escaped quotes in a string without an end": Pattern('{"a":"', '\\"#'),
    "brackets in a value path": Pattern(
        '{"pages":[{"id":"a","type":"Page","children":[{"id":"b","type":"Section","children":[{"id":"c",'
        '"type":"Metric","label":"d","binding":{"type":"read","method":"GET","path":"/","valuePath":"',
        "[",
        "",
        '"}}]}]}]}',
    ),
    "one id in every block": Pattern(
        '{"pages":[{"id":"p","type":"Page","children":[{"id":"s","type":"Section","children":[',
        '{"id":"a","type":"Text","content":"x"},',
        "",
        "null]}]}]}",
    ),
    "links to a page that is missing": Pattern(
        '{"pages":[{"id":"p","type":"Page"}],"navigation":{"items":[', '{"pageId":"pp"},', "", "null]}}"
    ),
    "unknown objects": Pattern("", '"a#":{"a":[]},'),
    "unknown properties": Pattern("{", '~~~\n"pages":</b>"a#":1,', "", "}"),
}
"""Patterns whose quick fixes took quadratic time, as is seen in larger texts only."""


@pytest.fixture(autouse=True, scope="module")
def frozen_heap() -> Iterator[None]:
    """Exempt the objects of earlier tests from the collections that each measurement begins with."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("pattern", FOUND.values(), ids=FOUND)
def test_texts_that_were_slow(pattern: Pattern) -> None:
    assert not [*judge(measure(pattern, ALL_ENTRIES, (1_024, 4_096)))]


@pytest.mark.parametrize("pattern", FOUND_IN_FIXES.values(), ids=FOUND_IN_FIXES)
def test_texts_whose_fixes_were_slow(pattern: Pattern) -> None:
    assert not [*judge(measure(pattern, ["diagnose", "quick fixes", "fix all"], (8_192, 32_768)))]


def test_random_texts() -> None:
    failures = []
    for number, pattern in enumerate(patterns(len(seeds(50)), seeds(2)[-1])):
        failures += [(failure, shown(pattern)) for failure in judge(measure(pattern, entries_for(number), SMALL_SIZES))]
    assert not failures


@pytest.mark.parametrize("pattern", [
    Pattern('{"a":"', "\\'", suffix='"}'), Pattern("", "{"), Pattern("", '"a'), Pattern("", "# a\n"),
    Pattern('{"a":"', "\n", suffix='"}'),
], ids=lambda pattern: repr(pattern.fragment))  # fmt: skip
def test_what_is_done_for_each_mark_takes_little_time(pattern: Pattern) -> None:
    """Answers to these took 120 times as long as `json.loads` of a valid text, which is linear, too; now 50 times."""
    text = sample_text(131_072, indent=None)
    assert seconds(pattern, 131_072, 5) < 100 * min(_seconds_of(partial(json.loads, text)) for _ in range(20))


def _seconds_of(function: Callable[[], object]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


@pytest.mark.parametrize("number", seeds(40))
def test_short_patterns(number: int) -> None:
    """`python -m tests.inputs.short_patterns` prints those of all that take longest."""
    pattern = Random(number).choice(SHORT)
    assert not [*judge(measure(pattern, ["read", "diagnose"], (1_024, 4_096)))]


def test_a_name_is_read_without_the_text_after_it() -> None:
    """Else each of the first thousand errors reads the rest of a text: no quadratic time, but 40 times as long."""

    def taken(fragment: str) -> float:
        start = time.process_time()
        _ = Analysis(read(fragment * 50_000)).diagnostics
        return time.process_time() - start

    assert taken("a=") < 10 * max(taken("a:"), taken("a:"))


@pytest.mark.parametrize("action", ["check", "inspect"])
@pytest.mark.parametrize(
    "text", ["[" + '\u201c>"children":[' * 380, "{" + "\n" * 80_000 + "}"], ids=["quotes", "line ends"]
)
def test_the_form_of_the_service(action: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is made in this process: the playground process has a limit of real time, and its own CPU time."""

    async def run(_: WorkProcess, task: Callable[[], object], __: str, **limits: object) -> object:
        return task()

    monkeypatch.setattr(WorkProcess, "run", run)
    with TestClient(create_app(Settings(store=f"sqlite:///{tmp_path}/rui.db"))) as client:
        start = time.process_time()
        assert client.post("/", data={"do": action, "rui": text}).status_code == 200
        assert time.process_time() - start < MAX_SECONDS
