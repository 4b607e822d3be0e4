"""Publishing to a running service."""

import httpx

from tests.editors.documents import GOOD
from tests.editors.workbench import Workbench
from tests.rui_api.live import Service


def test_publish_and_back(code: Workbench, service: Service) -> None:
    code.set("rui.server.url", service.url)
    path = code.write("published.rui.json", GOOD)
    code.show(path)
    code.diagnostics(path)
    code.js("void vscode.commands.executeCommand('rui.publishDocument')")
    message = code.notification("Published: ")
    address = str(message.locator(".notification-list-item-message").text_content()).removeprefix("Published: ").strip()
    assert address.startswith(f"{service.url}/")
    answer = httpx.get(address)
    assert answer.status_code == 200
    assert "Orders come in every five minutes." in answer.text
    message.get_by_role("button", name="Copy Address").press("Enter")  # a tooltip may cover it
    code.eventually(lambda: code.page.evaluate("navigator.clipboard.readText()"), address)


def test_an_invalid_document_is_not_published(code: Workbench, service: Service) -> None:
    code.set("rui.server.url", service.url)
    before = service.client.get("/api/specs").json()
    path = code.write("refused.rui.json", GOOD.replace('"Text"', '"Txt"', 1))
    code.show(path)
    code.diagnostics(path, until="all.length")
    assert code.command("rui.publishDocument") is None
    code.notification("refused.rui.json")
    assert service.client.get("/api/specs").json() == before


def test_an_unreachable_service_is_reported(code: Workbench) -> None:
    code.set("rui.server.url", "http://127.0.0.1:9")
    path = code.write("alone.rui.json", GOOD)
    code.show(path)
    code.diagnostics(path)
    assert code.command("rui.publishDocument") is None
    message = code.notification("127.0.0.1:9")
    assert "rui serve" in str(message.text_content())
    code.set("rui.server.url", None)
