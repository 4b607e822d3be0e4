"""From the editor to a running service and back."""

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
    told = code.notification("Published: ")
    address = str(told.locator(".notification-list-item-message").text_content()).removeprefix("Published: ").strip()
    assert address.startswith(f"{service.url}/")
    answer = httpx.get(address)
    assert answer.status_code == 200
    assert "Orders come in every five minutes." in answer.text
    told.get_by_role("button", name="Copy Address").click()
    code.eventually(lambda: code.page.evaluate("navigator.clipboard.readText()"), address)


def test_what_is_invalid_is_not_published(code: Workbench, service: Service) -> None:
    code.set("rui.server.url", service.url)
    before = service.client.get("/api/specs").json()
    path = code.write("refused.rui.json", GOOD.replace('"Text"', '"Txt"', 1))
    code.show(path)
    code.diagnostics(path, until="all.length")
    assert code.command("rui.publishDocument") is None
    code.notification("refused.rui.json")
    assert service.client.get("/api/specs").json() == before


def test_no_service_is_told_with_what_to_do(code: Workbench) -> None:
    code.set("rui.server.url", "http://127.0.0.1:9")
    path = code.write("alone.rui.json", GOOD)
    code.show(path)
    code.diagnostics(path)
    assert code.command("rui.publishDocument") is None
    told = code.notification("127.0.0.1:9")
    assert "rui serve" in str(told.text_content())
    code.set("rui.server.url", None)
