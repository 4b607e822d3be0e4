"""The descriptions in use: loaded in another process, attached to documents, read again when a file changes."""

from __future__ import annotations

import asyncio
import os
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from pygls.exceptions import JsonRpcException, JsonRpcInternalError

from rui_common.project.discovery import ApiChoice, ConfigurationError
from rui_common.syntax.line_index import Encoding
from rui_lsp.protocol.log import logger
from rui_lsp.session.api_choices import Choices, FindConfiguration, InProject, OpenText
from rui_lsp.session.documents import ApiInUse, OpenDocument, OpenDocuments
from rui_lsp.session.settings import Configuration
from rui_lsp.session.threads import in_thread
from rui_openapi.errors import OpenApiError
from rui_openapi.reading.files import FileVersion, version_of

if TYPE_CHECKING:  # most sessions have no OpenAPI description
    from rui_common.task_process import TaskProcess
    from rui_openapi.description.api import Api
    from rui_openapi.editing.definition import FileRange, Target

_T = TypeVar("_T")

MAX_SECONDS = 10.0  # maximum duration of a task of the process that reads descriptions
TYPING_SECONDS = 0.2  # how long no key is pressed in an open `rui.toml` until all documents are checked again
POLL_SECONDS = 1.5  # How often the files in use are looked at. Clients watch documents only, and some watch no files.

_NOT_COMPARED = "Bindings are not compared with an API"


@dataclass
class _Description:
    """One description."""

    api: Api | None = None  # its index, or None
    problem: str = ""  # why it cannot be read, or an empty text
    # its files and their versions when they were read
    versions: dict[str, FileVersion | None] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None  # what reads it now, or None


class ApiRegistry:
    """The descriptions of one workspace.

    It shows problems to the author, and calls `on_change` when the description of a document has been read, or changed.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        configuration: Configuration,
        show_problem: Callable[[str], None],
        on_change: Callable[[], None],
    ) -> None:
        self._documents = documents
        self._configuration = configuration
        self._show_problem = show_problem
        self._on_change = on_change
        self._choices = Choices(is_trusted=configuration.is_trusted)
        self._descriptions: dict[str, _Description] = {}
        self._shown: set[str] = set()
        self._process: TaskProcess | None = None
        self._poll: asyncio.Task[None] | None = None
        self._soon: asyncio.TimerHandle | None = None

    def open_text(self, path: str) -> OpenText | None:
        """Return the text of a `rui.toml` if it is open in the editor."""
        return self._choices.open_text(path)

    def set_open_text(self, path: str, opened: OpenText | None) -> None:
        """Use the text of a `rui.toml` in the editor, or that of its file again. Diagnostics follow after a pause."""
        key = os.path.realpath(path)
        self._choices.open_texts.pop(key, None)
        if opened is not None:
            self._choices.open_texts[key] = opened
        if self._soon is not None:
            self._soon.cancel()
        self._soon = asyncio.get_running_loop().call_later(TYPING_SECONDS, self.look_for_configuration)

    def attach(self, document: OpenDocument) -> bool:
        """Give an open document its `rui.toml` and its description, now or when that has been read.

        Return whether it had others.
        """
        project = self.project(document.uri)
        has_changed = document.set_project(project)
        return document.set_api(self.find(document.uri, project)) or has_changed

    def attach_all(self) -> bool:
        """Give all open documents what applies to them, after a change of settings or files; whether any had others."""
        changed = [document for document in self._documents if self.attach(document)]
        return bool(changed)

    def look_for_configuration(self) -> None:
        """Use a `rui.toml` that is new, has changed or has gone."""
        has_changed = self._choices.forget_changed()
        if self.attach_all() or has_changed:
            self._on_change()

    def project(self, uri: str, nearest: FindConfiguration | None = None) -> InProject | None:
        """Return the `rui.toml` of a document; None without one that can be used. The reason is shown to the author."""
        try:
            project = self._choices.project(uri, self._documents.folder_uris, nearest)
        except ConfigurationError as error:
            self._show_once(f"rui.toml has no effect: {error}.")
            self.start_poll()
            return None
        if project is not None:
            if project.problem:
                self._show_once(f"rui.toml has no effect: {project.problem}.")
            self.start_poll()
        return project

    def find_configuration(self, folder: str) -> str | None:
        """Return the path of the nearest `rui.toml`; also of one that is open and not saved yet, if it can be used."""
        return self._choices.find(folder)

    def leaves_out(self) -> Callable[[str], bool] | None:
        """Return a function that returns whether a folder is excluded, for one search; None if nothing is."""
        return self._choices.leaves_out()

    def find(self, uri: str, project: InProject | None) -> ApiInUse | None:
        """Return the description for a document with its `rui.toml`; None without one that has been read."""
        choice = self._choose(uri, project)
        if not choice.openapi:
            return None
        description = self._description(choice.openapi)
        if description.problem:
            self._show_once(f"{_NOT_COMPARED}: {description.problem}.")
        if description.api is None:
            return None
        return ApiInUse(description.api, choice.is_strict)

    async def definition(self, document: OpenDocument, target: Target, encoding: Encoding) -> FileRange | None:
        from rui_lsp.session.api_worker import find_definition  # only with a description

        choice = self._choose(document.uri, self.project(document.uri))
        return await self._run(choice.openapi, partial(find_definition, choice.openapi, target, encoding))

    async def check_files(self) -> None:
        """Read descriptions again whose files have changed, and every `rui.toml`."""
        changed = await in_thread(self._changed)
        for path in changed:
            self._load(path)
        self.look_for_configuration()

    def stop(self) -> None:
        if self._poll is not None:
            self._poll.cancel()
        if self._soon is not None:
            self._soon.cancel()
        if self._process is not None:
            self._process.kill()

    async def _run(self, path: str, task: Callable[[], _T]) -> _T:
        """Return the result of a task with a description in the process: a large one takes seconds.

        Raises:
            JsonRpcInternalError: there is none. The log has the details.
        """
        if self._process is None:
            from rui_common.task_process import TaskProcess  # only with a description

            self._process = TaskProcess()
        try:
            return await self._process.run(task, MAX_SECONDS)
        except TimeoutError:
            reason = f"it takes longer than {MAX_SECONDS:g} seconds"
            logger.error("%s is given up: %s", path, reason)
        except Exception:
            reason = "the log has the details"
            logger.exception("internal fault in the process for OpenAPI descriptions")
        raise JsonRpcInternalError(f"cannot use {path}: {reason}")

    def _choose(self, uri: str, project: InProject | None) -> ApiChoice:
        settings = self._configuration.for_document(uri)
        try:
            return self._choices.choose(uri, settings, self._documents.folder_uris, project)
        except OpenApiError as error:
            self._show_once(f"{_NOT_COMPARED}: {error}.")
            self.start_poll()
            return ApiChoice()

    def _show_once(self, problem: str) -> None:
        if problem not in self._shown:
            self._shown.add(problem)
            self._show_problem(problem)

    def _description(self, path: str) -> _Description:
        if path not in self._descriptions:
            self._descriptions[path] = _Description()
            self._load(path)
        return self._descriptions[path]

    def _load(self, path: str) -> None:
        description = self._descriptions[path]
        if description.task is None:
            description.task = asyncio.get_running_loop().create_task(self._read(path, description))
        self.start_poll()

    async def _read(self, path: str, description: _Description) -> None:
        from rui_lsp.session.api_worker import read_description  # only with a description

        versions: dict[str, FileVersion | None] = {path: await in_thread(version_of, path)}
        api: Api | None = None
        problem = ""
        try:
            found = await self._run(path, partial(read_description, path))
            if isinstance(found, str):
                problem = found
            else:
                indexed: Api = await in_thread(pickle.loads, found)  # from the worker process
                api = indexed
                versions = indexed.references.versions
                self._shown.clear()  # A later problem is a new one.
                for note in indexed.references.problems:
                    logger.info("%s", note)
        except JsonRpcException as error:
            problem = error.message
        description.api = api
        description.problem = problem
        description.versions = versions
        description.task = None
        self.attach_all()
        self._on_change()

    def _changed(self) -> list[str]:
        """Return the descriptions that have been read and of which a file has changed since."""
        return [
            path
            for path, description in list(self._descriptions.items())
            if description.task is None
            and any(version_of(name) != version for name, version in description.versions.items())
        ]

    def start_poll(self) -> None:
        """Look at the files from now on, also for a `rui.toml` that is new: some clients watch none."""
        if self._poll is None:
            self._poll = asyncio.get_running_loop().create_task(self._poll_files())

    async def _poll_files(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            await self.check_files()
