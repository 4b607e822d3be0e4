"""Typing in the editor of the front page, next to a bare text box: `python -m benchmarks playground_typing`.

A real browser types into a document of 50 KB while the service checks it. The time of a key is from its event to the
next frame that has been drawn. The page with the text box does nothing else.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Sequence
from typing import Any

from benchmarks.sample import sample
from tests.rui_api.live import process
from tests.rui_inspector.browser import chromium
from tests.rui_inspector.editor import CHECKED, CONTENT, PASTE, PLAYGROUND

SIZE = 50_000
KEYS = 400
PAUSE = 30
"""Milliseconds between two keys: 33 keys a second, four times as fast as a good typist."""

LIMIT = 3.0
"""Maximum ratio of the 95th percentile to that of the text box."""

MEASURE = """() => {
  window.keyTimes = [];
  addEventListener("keydown", event => {
    requestAnimationFrame(() => setTimeout(() => keyTimes.push(performance.now() - event.timeStamp)));
  }, true);
}"""
WORDS = "Some words of a description, "


def main(_: Sequence[str] = ()) -> bool:
    """Print the times, and return whether the limit is kept."""
    text = json.dumps(sample(SIZE), indent=2)
    with (
        tempfile.TemporaryDirectory() as folder,
        process("--store", f"sqlite:///{folder}/rui.db") as (_child, service),
        chromium() as browser,
    ):
        page = browser.new_page()
        page.goto("about:blank")
        page.set_content("<textarea rows=40 cols=100></textarea>")
        page.locator("textarea").fill(text)
        box = _type(page)
        page.goto(service.url)
        page.locator(CONTENT).click()
        page.locator(CONTENT).evaluate(PASTE, text)
        page.locator(CHECKED).wait_for()
        place = text.index('"title": "', len(text) // 2) + len('"title": "')
        page.evaluate(f"{PLAYGROUND}.view.dispatch({{selection: {{anchor: {place}}}, scrollIntoView: true}})")
        editor = _type(page)
        assert WORDS in page.evaluate(f"{PLAYGROUND}.doc.toString()")
    print(f"\nmilliseconds from a key to the next frame, {len(text):,} characters, {KEYS} keys")
    print(f"  {'':<10}{'median':>8}{'95 %':>8}{'99 %':>8}{'longest':>9}")
    for name, times in (("text box", box), ("editor", editor)):
        print(f"  {name:<10}{_row(times)}")
    ratio = _percentile(editor, 95) / _percentile(box, 95)
    print(f"  95 %: {ratio:.2f} times the text box, limit {LIMIT}  {'ok' if ratio <= LIMIT else 'MISSED'}")
    return ratio <= LIMIT


def _type(page: Any) -> list[float]:
    page.evaluate(MEASURE)
    for number in range(KEYS):
        page.keyboard.type(WORDS[number % len(WORDS)])
        page.wait_for_timeout(PAUSE)
    times: list[float] = page.evaluate("keyTimes")
    return times


def _percentile(times: list[float], percent: int) -> float:
    return statistics.quantiles(times, n=100)[percent - 1]


def _row(times: list[float]) -> str:
    return f"{statistics.median(times):8.1f}{_percentile(times, 95):8.1f}{_percentile(times, 99):8.1f}{max(times):9.1f}"
