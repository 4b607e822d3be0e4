"""A document is found wherever it is, and valid documents whose texts look like one have no finding.

`python -m tests.inputs.finding` measures more texts.
"""

import json
from pathlib import Path

import pytest

from tests.inputs.finding import KINDS, findings_of, first_hint, fix_of, is_named, malformed, odd_document
from tests.rui_api.live import Service
from tests.rui_cli.running import rui

TEXTS = range(3 * len(KINDS))
VALID = range(60)


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_hint_names_the_cause_and_the_place(kind: str, tmp_path: Path) -> None:
    for number in TEXTS:
        name, case = malformed(number)
        if name != kind:
            continue
        assert is_named(case), (case.names, first_hint(case.text))
        assert fix_of(case, tmp_path) == ("unchanged" if case.fixed is None else "document"), number


def test_the_service_says_the_same_and_fixes_it(service: Service) -> None:
    for number in range(len(KINDS)):
        _, case = malformed(number)
        body = service.post("/api/validate?fix=true", case.text.encode()).json()
        error = body["errors"][0]
        hint = f"@{error['path']} {error['message']} {error['hint']}"
        assert all(name in hint for name in case.names), (case.names, hint)
        assert body.get("fixed", {}).get("rui") == case.fixed


def test_valid_documents_with_documents_in_their_texts(tmp_path: Path) -> None:
    texts = {tmp_path / f"{number}.rui.json": odd_document(number) for number in VALID}
    for file, text in texts.items():
        json.loads(text)
        assert findings_of(text) == []
        file.write_bytes(text.encode())
    rui("check", "--fix", tmp_path)
    assert [file for file, text in texts.items() if file.read_bytes() != text.encode()] == []
