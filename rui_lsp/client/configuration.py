"""The settings that count now, for the workspace and for each of its folders."""

from __future__ import annotations

from collections.abc import Iterable

from rui_lsp.client.settings import SECTION, ClientSettings


class Configuration:
    """The settings of one client.

    Attributes:
        is_trusted: whether the client trusts the workspace, by ``isWorkspaceTrusted`` in ``initializationOptions``.
            It is no setting, because the workspace could change it.
        settings: the settings of the workspace; `for_document` considers folders.
        folder_settings: the settings of single folders, by address.
    """

    def __init__(self, options: object = None) -> None:
        """Start with default settings.

        Args:
            options: ``initializationOptions``, used for settings that the client does not send; the prefix ``rui`` is
                optional there.
        """
        self._options = (options, {SECTION: options})
        self.is_trusted = not isinstance(options, dict) or options.get("isWorkspaceTrusted") is not False
        self._shown: list[str] = []
        self.settings = ClientSettings.parse(*self._options)
        self.folder_settings: dict[str, ClientSettings] = {}

    def for_document(self, uri: str) -> ClientSettings:
        """Return the settings for a document: those of the innermost folder that contains it."""
        parents = [folder for folder in self.folder_settings if uri.startswith(f"{folder.rstrip('/')}/")]
        if not parents:
            return self.settings
        return self.folder_settings[max(parents, key=len)]

    def replace(self, sent: object) -> bool:
        """Use what the client has sent for the workspace, nested or by full names; whether that changes anything."""
        return self._replace(ClientSettings.parse(sent, *self._options), {})

    def replace_sections(self, section: object, folder_sections: dict[str, object]) -> bool:
        """Use the answers to ``workspace/configuration``; whether that changes anything.

        Args:
            section: the section ``rui`` of the workspace.
            folder_sections: the same section of each folder, by its address.
        """
        general = {SECTION: section}
        folder_settings = {
            folder: ClientSettings.parse({SECTION: own}, general, *self._options)
            for folder, own in folder_sections.items()
        }
        return self._replace(ClientSettings.parse(general, *self._options), folder_settings)

    def _replace(self, settings: ClientSettings, folder_settings: dict[str, ClientSettings]) -> bool:
        previous = self._in_use()
        self.settings = settings
        self.folder_settings = folder_settings
        return self._in_use() != previous

    def _in_use(self) -> tuple[ClientSettings, dict[str, ClientSettings]]:
        own = {uri: settings for uri, settings in self.folder_settings.items() if settings != self.settings}
        return self.settings, own

    def new_messages(self) -> Iterable[str]:
        """Return the messages about invalid settings, without those that the last call returned."""
        all_settings = [self.settings, *self.folder_settings.values()]
        messages = list(dict.fromkeys(text for settings in all_settings for text in settings.messages))
        added = [text for text in messages if text not in self._shown]
        self._shown = messages
        return added
