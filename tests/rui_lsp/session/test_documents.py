"""The diagnostics of a document and of a file, if the comparison with an OpenAPI description fails."""

from pathlib import Path

import pytest

from rui_common.validation.analysis import Analysis
from rui_lsp.session.apis import ApiRegistry
from rui_lsp.session.diagnostics import document_items
from rui_lsp.session.documents import ApiInUse, OpenDocument
from rui_lsp.session.settings import ClientSettings
from rui_openapi.comparison import check
from tests.rui_cli.running import FAULTY
from tests.rui_lsp.conversation import Conversation
from tests.rui_openapi.shop import SHOP, api_of


def test_an_internal_error_of_the_comparison_loses_only_its_warnings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise IndexError("no such name")

    monkeypatch.setattr(check, "api_diagnostics", fail)
    api = api_of(SHOP, tmp_path)
    file = tmp_path / "a.rui.json"
    file.write_text(FAULTY)
    document = OpenDocument(file.as_uri(), FAULTY, 1, "utf-16")
    document.set_api(ApiInUse(api))
    expected = [diagnostic.code for diagnostic in Analysis(document.document).diagnostics]
    for _ in range(2):  # it is logged once for each text
        assert [item.code for item in document_items(document, ClientSettings.parse()) or []] == expected
    assert [record.getMessage() for record in caplog.records] == [
        f"internal fault: cannot compare {file.as_uri()} with {tmp_path / 'openapi.yaml'}"
    ]
    caplog.clear()
    monkeypatch.setattr(ApiRegistry, "find", lambda *_: ApiInUse(api))
    server = Conversation().server
    assert [item.code for item in server.closed_files.items(file.as_uri(), str(file)).items] == expected
    assert len(caplog.records) == 1
