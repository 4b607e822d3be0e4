"""The session and its workspace: changes of settings, folders and files update diagnostics at once."""

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rui_common.document_files import SUFFIX
from rui_common.project.discovery import CONFIGURATION_FILE
from rui_lsp.features import diagnostics, text_synchronization
from rui_lsp.protocol.log import logger
from rui_lsp.server import WATCHES_FILES, RuiLanguageServer
from rui_lsp.session.settings import SECTION

FOLDER = types.FileOperationPatternKind.Folder


def register(server: RuiLanguageServer) -> None:
    server.feature(types.INITIALIZE)(initialize)
    server.feature(types.SHUTDOWN)(shutdown)
    server.feature(types.INITIALIZED)(initialized)
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(did_change_configuration)
    server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(did_change_workspace_folders)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(did_change_watched_files)
    # In a folder that is moved or deleted may be documents.
    patterns = [types.FileOperationPattern(f"**/*{SUFFIX}"), types.FileOperationPattern("**", matches=FOLDER)]
    operations = types.FileOperationRegistrationOptions(
        [types.FileOperationFilter(pattern, "file") for pattern in patterns]
    )
    server.feature(types.WORKSPACE_DID_CREATE_FILES, operations)(did_create_files)
    server.feature(types.WORKSPACE_DID_RENAME_FILES, operations)(did_rename_files)
    server.feature(types.WORKSPACE_DID_DELETE_FILES, operations)(did_delete_files)


def initialize(ls: RuiLanguageServer, params: types.InitializeParams) -> None:
    """Set up the session; pygls announces the registered features after this."""
    ls.start_session(params)
    if ls.supports_pull:
        diagnostics.register_pull(ls)


def shutdown(ls: RuiLanguageServer, params: object) -> None:  # noqa: ARG001
    ls.shut_down()


async def initialized(ls: RuiLanguageServer, params: types.InitializedParams) -> None:  # noqa: ARG001
    """Have the client report changes of settings and files; check all files, if it does not request diagnostics."""
    ls.show_invalid_settings()
    if ls.supports("workspace.did_change_configuration.dynamic_registration"):
        options = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
        ls.register_capability("rui-settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, options)
    if ls.supports(WATCHES_FILES):
        watchers = [types.FileSystemWatcher(glob_pattern=f"**/{name}") for name in (f"*{SUFFIX}", CONFIGURATION_FILE)]
        options_of_files = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        ls.register_capability("rui-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options_of_files)
    if ls.supports("text_document.synchronization.dynamic_registration"):
        text_synchronization.register_configuration(ls)
    if not ls.supports_pull:
        ls.closed_files.refresh_all()
    await _request_configuration(ls)


async def did_change_configuration(ls: RuiLanguageServer, params: types.DidChangeConfigurationParams) -> None:
    """Use the new settings: those that the client returns on request, else those that it sends."""
    settings = params.settings
    if ls.supports("workspace.configuration"):
        await _request_configuration(ls)
    elif isinstance(settings, dict) and any(name.partition(".")[0] == SECTION for name in settings):
        ls.apply_configuration(has_changed=ls.configuration.replace(settings))


async def _request_configuration(ls: RuiLanguageServer) -> None:
    if not ls.supports("workspace.configuration"):
        return
    folders = ls.documents.folder_uris
    items = [types.ConfigurationItem(section=SECTION)]
    items += [types.ConfigurationItem(scope_uri=folder, section=SECTION) for folder in folders]
    try:
        sections = await ls.workspace_configuration_async(types.ConfigurationParams(items))
    except JsonRpcException as error:
        logger.warning("workspace/configuration: %s", error)
        return
    if len(sections) != len(items):
        logger.warning("not an answer to workspace/configuration: %.200r", sections)
        return
    general, *own_sections = sections
    has_changed = ls.configuration.replace_sections(general, dict(zip(folders, own_sections, strict=True)))
    ls.apply_configuration(has_changed=has_changed)


async def did_change_workspace_folders(ls: RuiLanguageServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Check the files of the new folders, and request their settings."""
    event = params.event
    ls.documents.change_folders([folder.uri for folder in event.added], [folder.uri for folder in event.removed])
    ls.refresh_all_files()
    await _request_configuration(ls)


async def did_change_watched_files(ls: RuiLanguageServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Check the files that have been created, changed or deleted; all, if a description of their API has changed."""
    await ls.files_changed({change.uri: change.type == types.FileChangeType.Deleted for change in params.changes})


async def did_create_files(ls: RuiLanguageServer, params: types.CreateFilesParams) -> None:
    """Check the files and folders that the author has created in the editor."""
    await ls.files_changed({file.uri: False for file in params.files})


async def did_rename_files(ls: RuiLanguageServer, params: types.RenameFilesParams) -> None:
    """Check the files and folders that the author has renamed in the editor."""
    changes = {file.old_uri: True for file in params.files}
    await ls.files_changed(changes | {file.new_uri: False for file in params.files})


async def did_delete_files(ls: RuiLanguageServer, params: types.DeleteFilesParams) -> None:
    """Remove the diagnostics of the files and folders that the author has deleted in the editor."""
    await ls.files_changed({file.uri: True for file in params.files})
