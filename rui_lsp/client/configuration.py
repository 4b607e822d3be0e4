"""Settings from the client: given in `initialize`, asked for when it can be asked, and again whenever they change.

All of it is plain data and needs no pygls: what an author has set counts from the first diagnostics on.
"""

from __future__ import annotations

from functools import partial

from rui_lsp.client.settings import SECTION, TRACES, Settings
from rui_lsp.protocol.log import logger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rui_lsp.client.client import Client
    from rui_lsp.client.convert import Json

_WARNING = 2  # MessageType.Warning
CHANGED = "workspace/didChangeConfiguration"


def start(client: Client) -> None:
    """The client has said `initialized`: from now on it can be asked."""
    show_warning(client)
    if client.can("workspace", "didChangeConfiguration", "dynamicRegistration"):
        wanted = {"id": "rui-settings", "method": CHANGED, "registerOptions": {"section": SECTION}}
        client.ask("client/registerCapability", {"registrations": [wanted]})
    pull(client)


def changed(client: Client, params: Json) -> None:
    """Settings have changed (``workspace/didChangeConfiguration``).

    A client that can be asked is asked, whatever it has sent: what it sends says nothing about folders.
    """
    sent = params.get("settings")
    if client.can("workspace", "configuration"):
        pull(client)
    elif isinstance(sent, dict) and any(name.partition(".")[0] == SECTION for name in sent):
        use(client, Settings(sent, client.options), {})


def set_trace(client: Client, params: object) -> None:
    """The client wants to be told more, or less, of what the server does (``$/setTrace``); nonsense is passed over."""
    value = params.get("value") if isinstance(params, dict) else None
    if value in TRACES:
        client.trace = value


def pull(client: Client) -> None:
    """Ask for the settings (``workspace/configuration``): those of the workspace, and those of each folder."""
    if client.can("workspace", "configuration"):
        folders = list(client.folders)
        items = [{"section": SECTION}, *({"scopeUri": folder, "section": SECTION} for folder in folders)]
        client.ask("workspace/configuration", {"items": items}, partial(_pulled, client, folders))


def _pulled(client: Client, folders: list[str], result: object) -> None:
    if not isinstance(result, list) or len(result) != len(folders) + 1:
        logger().warning("not an answer to workspace/configuration: %.200r", result)
        return
    general, *scoped = ({SECTION: section} for section in result)
    found = {
        folder: Settings(section, general, client.options) for folder, section in zip(folders, scoped, strict=True)
    }
    use(client, Settings(general, client.options), found)


def use(client: Client, settings: Settings, of_folders: dict[str, Settings]) -> None:
    """Use other settings from now on.

    Args:
        client: whose they are.
        settings: those of the workspace.
        of_folders: those of single folders.
    """
    of_folders = {uri: found for uri, found in of_folders.items() if found.key != settings.key}
    before = client.settings.key, {uri: found.key for uri, found in client.of_folders.items()}
    client.settings, client.of_folders = settings, of_folders
    show_warning(client)
    if settings.trace is not None:
        client.trace = settings.trace
    if before != (settings.key, {uri: found.key for uri, found in of_folders.items()}):
        client.settings_changed()


def show_warning(client: Client) -> None:
    """Tell the user what is wrong with the settings; the same thing only once."""
    all_settings = [client.settings, *client.of_folders.values()]
    messages = dict.fromkeys(text for settings in all_settings for text in settings.messages)
    for text in messages:
        if text not in client.messages:
            client.notify("window/showMessage", {"type": _WARNING, "message": text})
            logger().info("%s", text)
    client.messages = list(messages)
