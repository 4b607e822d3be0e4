"""What a user waits for: `rui check` of a small file, and the pages of the largest document.

The peers are an empty Python process, other linters of JSON, and `json.dumps(indent=2)` of the same document.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from benchmarks import ROOT, Row, in_turns, installed, installed_program, median_ratio, timed
from rui_api.app import create_app
from rui_api.commands.server import freeze_gc
from rui_api.config.options import Settings
from rui_inspector.escape import escape_content
from rui_inspector.html.comparison import ComparedDocument, comparison_page
from rui_inspector.html.pages import SITE_ASSETS, Asset, PageHost, Spec, document_page, load_assets, spec_page
from tests.inputs.sample import largest_text, sample_text
from tests.rui_api.live import running
from tests.rui_inspector.browser import chromium

RUI = Path(sys.executable).with_name("rui")
CHECK_ROUNDS = 30
PAGE_ROUNDS = 20
MAX_CHECK = 5.0
BIOME = "@biomejs/biome@2.6.8"
MAX_BESIDE_BIOME = 1.0
"""Beside `biome` as npm installs it: a script of Node, which starts a binary. No Python is as fast as that alone."""
CHECK_JSONSCHEMA = "check-jsonschema==0.39.0"
MAX_BESIDE_JSONSCHEMA = 0.4
MAX_PAGE = 5.0
MAX_TRANSFER = 200.0
"""Kilobytes of the compressed page of the largest document, without style sheet and script."""

MAX_FORMATTED = 72.0
MAX_PAINT = 1.4
PAINT_ROUNDS = 11
FIRST_PAINT = """new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime));
  observer.observe({ type: "paint", buffered: true });
})"""

HTML = "text/html; charset=utf-8"
HOST = PageHost("/inspector.css", "/inspector.js", "/inspector.svg", "/")
SPEC = Spec("x", "/specs/x", "2026-01-31T09:15:00.123Z", "sha256:0123")


def rows(options: list[str]) -> Iterator[Row]:
    """Yield the ratios of whole processes, and of pages."""
    assert not options
    yield from _checks()
    yield from _linters()
    yield from _pages()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(create_app(Settings(store=f"sqlite:///{folder}/a.db"))) as service,
    ):
        page = service.client.get(str(service.store(largest_text().encode())["viewUrl"]))
        received = page.num_bytes_downloaded / 1000
        formatted = service.client.get(str(service.store(sample_text(250_000).encode())["viewUrl"]))
    yield Row("page of 256 KB, KB received", received, MAX_TRANSFER)
    yield Row("page of 250 KB with line ends, KB received", formatted.num_bytes_downloaded / 1000, MAX_FORMATTED)
    paints = _first_paints()
    medians = [statistics.median(times) for times in paints]
    detail = f"{medians[0]:.0f} ms, {medians[1]:.0f} ms"
    yield Row("first paint of it, beside its JSON in <pre>", median_ratio(*paints), MAX_PAINT, detail=detail)


def _first_paints() -> tuple[list[float], list[float]]:
    """Return when a browser shows something of a page, and of its JSON in ``<pre>``, in milliseconds, in turns.

    One server has both, ready: what the service takes to make the page is measured above.
    """
    text = sample_text(250_000)
    contents = {f"/{name}": asset for name, asset in load_assets(SITE_ASSETS).items()}
    contents["/page"] = Asset(HTML, spec_page(json.loads(text), HOST, SPEC).encode())
    listing = (
        f"<!doctype html><title>JSON</title><link rel='icon' href='/inspector.svg'><pre>{escape_content(text)}</pre>"
    )
    contents["/pre"] = Asset(HTML, listing.encode())
    handler = type("Handler", (_Handler,), {"contents": contents})
    times: dict[str, list[float]] = {"/page": [], "/pre": []}
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, chromium() as browser:
        Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        for round_number in range(PAINT_ROUNDS):
            for path, found in times.items():
                page.goto(f"http://127.0.0.1:{server.server_port}{path}")
                if round_number > 0:  # the first one loads style sheet and script
                    found.append(page.evaluate(FIRST_PAINT))
        server.shutdown()
    return times["/page"], times["/pre"]


class _Handler(BaseHTTPRequestHandler):
    contents: Mapping[str, Asset]

    def do_GET(self) -> None:
        media_type, content = self.contents[self.path]
        is_page = self.path in ("/page", "/pre")
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store" if is_page else "max-age=3600")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Print no line for a request."""


def _checks() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        valid, invalid = Path(folder, "valid.rui.json"), Path(folder, "invalid.rui.json")
        text = sample_text(3_000, seed=4)
        valid.write_text(text, encoding="utf-8")
        invalid.write_text(text.replace('"title"', '"titel"', 2).replace('"row"', '"column"'), encoding="utf-8")
        commands = {
            "python -c pass": _run(sys.executable, "-c", "pass"),
            "rui check, valid": _run(RUI, "check", valid),
            "rui check, invalid": _run(RUI, "check", invalid, code=1),
        }
        found = in_turns({name: timed(command) for name, command in commands.items()}, CHECK_ROUNDS)
    empty = found.pop("python -c pass")
    for name, seconds in found.items():
        detail = f"{statistics.median(seconds) * 1e3:.0f} ms, {statistics.median(empty) * 1e3:.0f} ms"
        yield Row(f"{name}, 3 KB, beside an empty Python", median_ratio(seconds, empty), MAX_CHECK, detail=detail)


def _linters() -> Iterator[Row]:
    """Compare whole processes that check one example: the rules of JSON by Biome, a JSON Schema by check-jsonschema."""
    biome = installed("biome", BIOME)
    binary = next((biome / "@biomejs").glob("cli-*/biome*"))
    schema = ROOT / "docs" / "rui-0.1.schema.json"
    check_jsonschema = installed_program("check-jsonschema", CHECK_JSONSCHEMA)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(shutil.copy(ROOT / "examples" / "order-desk.rui.json", folder))
        commands = {
            "rui check": _run(RUI, "check", file),
            "biome lint": _run(biome / ".bin" / "biome", "lint", file),
            "the binary of biome alone": _run(binary, "lint", file),
            "check-jsonschema": _run(check_jsonschema, "--schemafile", schema, file),
        }
        found = in_turns({name: timed(command) for name, command in commands.items()}, CHECK_ROUNDS)
    ours = found.pop("rui check")
    limits = {"biome lint": MAX_BESIDE_BIOME, "check-jsonschema": MAX_BESIDE_JSONSCHEMA}
    for name, seconds in found.items():
        detail = f"{statistics.median(ours) * 1e3:.0f} ms, {statistics.median(seconds) * 1e3:.0f} ms"
        what = f"rui check, our example, beside {name}"
        yield Row(what, median_ratio(ours, seconds), limits.get(name), detail=detail)


def _run(*command: str | Path, code: int = 0) -> Callable[[], None]:
    """Return a function that runs a command to its end."""
    # Byte code may be written, as for an installed tool.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def once() -> None:
        process = subprocess.run(command, capture_output=True, check=False, env=environment)
        assert process.returncode == code, process

    return once


def _pages() -> Iterator[Row]:
    freeze_gc()  # as the service does when it starts
    stored = largest_text()
    value = json.loads(stored)
    indented = json.dumps(value, ensure_ascii=False, indent=2)
    other = json.loads(indented.replace('"label": "', '"label": "New '))  # every label differs
    original, changed = (ComparedDocument(document, SPEC) for document in (value, other))
    functions: dict[str, Callable[[], object]] = {
        "json.dumps": partial(json.dumps, value, indent=2),
        "stored document": lambda: spec_page(json.loads(stored), HOST, SPEC).encode(),
        "comparison, each label changed": partial(comparison_page, original, changed, HOST),
        "text that is not stored": partial(document_page, indented, HOST),
    }
    found = in_turns({name: timed(function) for name, function in functions.items()}, PAGE_ROUNDS)
    base = found.pop("json.dumps")
    for name, seconds in found.items():
        limit = MAX_PAGE if name == "stored document" else None
        detail = f"{statistics.median(seconds) * 1e3:.0f} ms, {statistics.median(base) * 1e3:.0f} ms"
        what = f"page of 256 KB, {name}, beside json.dumps"
        yield Row(what, median_ratio(seconds, base), limit, detail=detail)
