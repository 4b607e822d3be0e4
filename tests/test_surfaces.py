"""What a document is edited into: editor, command line and HTTP report the same for it, however it came about.

One document in the editor goes through many texts by edits. At rest, the editor shows what `rui check` prints for a
file with the same text, and what the service answers; for broken JSON the service answers one `INVALID_JSON`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rui_api.app import create_app
from rui_api.config.options import Settings
from rui_common.syntax.document import read
from rui_common.validation.diagnostics import diagnose
from tests.inputs.breaking import broken
from tests.inputs.sample import sample, sample_text
from tests.rui_api.live import Service, running
from tests.rui_lsp.lsp_client import Client
from tests.rui_lsp.sessions import wild_edits
from tests.test_corpus import check_cli, check_files, check_http, check_published

URI = "file:///edited.rui.json"


@dataclass
class State:
    """One text of the document."""

    text: str

    @property
    def source(self) -> bytes:
        return self.text.encode()


def wild_texts(chance: random.Random) -> list[str]:
    session = wild_edits(chance, sample_text(2500))
    return [next(session) for _ in range(40)]


def faulty_texts(chance: random.Random) -> list[str]:
    """Return texts of valid JSON with several faults, and each of them with a bracket or comma missing."""
    texts = []
    for seed in range(8):
        text = json.dumps(broken(sample(2500, seed=seed), chance, chance.randint(1, 6))[0], indent=2)
        at = chance.choice([offset for offset, character in enumerate(text) if character in "{}[],:"])
        texts += [text, text[:at] + text[at + 1 :], text]
    return texts


TEXTS = {"wild edits": wild_texts, "faults": faulty_texts}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    directory = tmp_path_factory.mktemp("surfaces")
    with running(create_app(Settings(store=f"sqlite:///{directory}/rui.db"))) as service:
        yield service


@pytest.mark.parametrize("kind", TEXTS)
def test_surfaces_agree_on_every_text_of_a_session(kind: str, service: Service, tmp_path: Path) -> None:
    states = [State(text) for text in TEXTS[kind](random.Random(kind)) if is_encodable(text)]
    files = {tmp_path / f"{number:03}.rui.json": state for number, state in enumerate(states)}
    for file, state in files.items():
        file.write_bytes(state.source)
    printed: dict[str, list[dict[str, object]]] = {str(file): [] for file in files}
    for item in check_files(*files)[1]:
        printed[str(item["file"])].append(item)
    with Client.start() as client:
        client.open(URI, "")
        previous = ""
        for number, (file, state) in enumerate(files.items()):
            client.change(URI, number + 2, changes(previous, state.text))
            previous = state.text
            found = diagnose(read(state.source))
            check_published(client.diagnostics(URI, number + 2), state.text, found, "utf-16")
            check_cli(state, found, printed[str(file)])
            check_http(state, found, service)


def is_encodable(text: str) -> bool:
    return text == text.encode("utf-8", "replace").decode()


def changes(old: str, new: str) -> list[dict[str, object]]:
    """Return the change from one text to another. A change elsewhere follows, so that nothing is held back."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    # Positions in lines are those of the old text. A range that begins or ends within \r\n would be clamped.
    while start and old[start - 1] == "\r":
        start -= 1
    while end and old[len(old) - end] == "\n":
        end -= 1
    place = {"start": position(old, start), "end": position(old, len(old) - end)}
    origin = {"line": 0, "character": 0}
    return [
        {"range": place, "text": new[start : len(new) - end]},
        {"range": {"start": origin, "end": origin}, "text": ""},
    ]


def position(text: str, offset: int) -> dict[str, int]:
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return {"line": len(before) - 1, "character": len(before[-1].encode("utf-16-le")) // 2}
