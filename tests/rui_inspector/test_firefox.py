"""The main flows in Firefox: the editor of the front page, notes and their answers, search, addresses.

All else is tested in Chromium. Firefox differs in the clipboard, the focus and shadow roots.
"""

import json
import subprocess
from pathlib import Path

from tests.editors.tools import NPM_FLAGS, on_path, one_at_a_time, or_skip, run
from tests.rui_api.live import PATIENT, Service
from tests.rui_inspector.browser import PEERS, later
from tests.support.examples import DESK

DRIVER = "puppeteer-core@^24.40.0"
"""Drives Firefox by WebDriver BiDi, without another program. A major version may change the interface."""


def driver() -> Path:
    """Return the folder with the driver, and install it on first use."""
    folder = PEERS / "firefox"
    with one_at_a_time("puppeteer"):
        if not (folder / "node_modules" / "puppeteer-core").exists():
            folder.mkdir(parents=True, exist_ok=True)
            run([on_path("npm"), "install", *NPM_FLAGS, "--prefix", folder, DRIVER], folder)
    return folder


def test_the_main_flows(service: Service) -> None:
    with or_skip():
        command = [
            on_path("node"),
            Path(__file__).with_name("firefox.mjs"),
            driver(),
            on_path("firefox-esr", "firefox"),
        ]
    before = service.store(DESK)
    document = later()
    document["meta"] = {**document["meta"], "replaces": before["specId"]}
    document["pages"][0]["children"][1]["children"][0]["columns"][1]["label"] = "Who"
    requests = {
        "front": service.url, "text": json.dumps(DESK, indent=2).replace('"Page",', '"Page",,', 1),
        "spec": before["viewUrl"], "next": service.store(document)["viewUrl"],
    }  # fmt: skip
    result = subprocess.run(
        [*command, json.dumps(requests)], capture_output=True, text=True, timeout=PATIENT, check=False
    )
    assert result.returncode == 0, result.stderr[-2_000:]
    facts = json.loads(result.stdout)
    assert facts.pop("messages") == []
    assert facts.pop("stored").startswith("Stored:\n")
    assert "\n   - Note: Shorter\n" in facts.pop("copied")
    assert facts.pop("answers").startswith("1 of 1 note is followed\n")
    assert facts.pop("found").startswith("1 part matches “shipped” on 1 of 2 pages: Today 1.")
    assert facts.pop("where").startswith("Order: 1 block on 1 page")
    assert facts == {
        "pasted": "1 error", "fixed": "Valid · 2 pages · 5 blocks · 3 endpoints", "afterNote": "Copy notes",
        "label": "Note on column “Customer” of Table orders", "place": f"{before['viewUrl']}#W-orders",
    }  # fmt: skip
