"""Session of one editor: everything that features may use, in one place."""

from __future__ import annotations

import logging
import re
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Literal

import anyio
from anyio.abc import TaskGroup
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from certo.edits.positions import Position
from certo.edits.source import read_source
from certo.edits.target import Place
from certo.features.editor.client import Client, read_client
from certo.features.editor.client_settings import ClientSettings, Section
from certo.features.editor.comparisons import Comparisons
from certo.features.editor.conversion import uri_of
from certo.features.editor.documents import PYTHON, Document, Documents, no_file, path_of
from certo.features.editor.notebooks import Notebooks
from certo.features.editor.services import ModelOfEditor, SecretsOfEditor
from certo.features.editor.window import EditorWindow, Refresh
from certo.search.board import CandidateState
from certo.sessions.ambient.repairs import AmbientRepairs, Symptom
from certo.sessions.assembly.models import ClientServices
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.restore import restore_searches
from certo.sessions.searches import Searches
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.events import Event
from certo.vocabulary.problem import Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span


class DiffFiles:
    """Diff files of the session, in a private directory; `keep` removes it at the end."""

    def __init__(self) -> None:
        self._home: Path | None = None

    async def keep(self) -> None:
        """Wait for the end of the session, then remove the files."""
        try:
            await anyio.sleep_forever()
        finally:
            if self._home is not None:
                shutil.rmtree(self._home, ignore_errors=True)

    def write(self, title: str, diff: str) -> Path:
        """Write a diff into the file of that title; return its path."""
        if self._home is None:
            self._home = Path(tempfile.mkdtemp(prefix="certo-diff-"))
        path = self._home / (re.sub(r"[^\w.-]+", "_", title) + ".diff")
        path.write_bytes(diff.encode("utf-8", "surrogatepass"))
        return path


log = logging.getLogger(__name__)

READ_AHEAD_SECONDS = 0.1
"""Time without changes after which a document is parsed ahead."""


@dataclass(slots=True)
class View:
    """Display state of one search: the candidate the user looks at, None for the best.

    `stirred` is set when there is something new to show; the code that shows it replaces the event. `question` is the
    scope of the question about the next step.
    """

    shown: str | None = None
    stirred: anyio.Event = field(default_factory=anyio.Event)
    question: anyio.CancelScope | None = None


class EditorSession:
    """State of one editor: abilities, documents, folders and settings; and the daemon's shared searches.

    Features get it as `desk`: everything that one editor has put in front of certo.

    Background work runs in the given group, which ends with the editor's connection; searches belong to the daemon.
    `hinting` is True if some search is to be shown in inlay hints, `watches_tests` if the editor tells when tests have
    failed.
    """

    def __init__(self, server: LanguageServer, group: TaskGroup, searches: Searches) -> None:
        self.client = Client()
        self.documents = Documents()
        self.notebooks = Notebooks(self.documents)
        self.folders: dict[str, Path] = {}
        self.settings = ClientSettings()
        self.window = EditorWindow(server)
        self._lenses = Refresh(self.window.refresh_lenses, self.start)
        self._hints = Refresh(self.window.refresh_hints, self.start)
        self.model = ModelOfEditor(server)
        self.secrets = SecretsOfEditor(server)
        self.searches = searches
        self.diffs = DiffFiles()
        self.comparisons = Comparisons()
        self.ambient = AmbientRepairs(group=group, searches=searches, ask=self._request_for)
        self.watches_tests = False
        self.hinting = False
        self._views: dict[str, View] = {}
        self._recalls: set[anyio.Event] = set()
        self._group = group
        self.start(self.diffs.keep)
        self.start(self._keep_hearing)

    def begin(self, params: Mapping[str, Any]) -> None:
        """Store the editor's capabilities from the params of `initialize`, which the handshake has checked."""
        self.client = read_client(params)
        self.model.offered = self.client.model
        self.secrets.offered = self.client.secrets
        self.documents.encoding = self.client.encoding
        self.settings.begin(params.get("initializationOptions"))
        folders = [folder["uri"] for folder in params.get("workspaceFolders") or ()]
        if not folders and params.get("rootUri"):
            folders = [params["rootUri"]]
        self.change_folders(added=folders, removed=())

    def change_folders(self, *, added: list[str], removed: tuple[str, ...]) -> None:
        """Add and remove workspace folders; those that are no local directories are ignored."""
        for uri in removed:
            self.folders.pop(uri, None)
        for uri in added:
            path = path_of(uri)
            if path is not None:
                self.folders[uri] = path

    def start(self, work: Callable[..., Awaitable[None]], *arguments: object) -> None:
        """Start background work; an expected failure is logged and ends nothing else."""
        self._group.start_soon(_with_edge, self, work, arguments)

    async def _keep_hearing(self) -> None:
        """Receive news of searches for the lifetime of the session."""
        leave = self.searches.subscribe(self._hear, self._notice, self._warn)
        try:
            await anyio.sleep_forever()
        finally:
            leave()

    @property
    def loans(self) -> ClientServices:
        """Services that this editor lends to the searches it starts."""
        return ClientServices(ask_editor=self.secrets.ask, editor_model=self.model)

    def view(self, live: LiveSearch) -> View:
        """Return the display state of a search."""
        return self._views.setdefault(live.id, View())

    def shown_row(self, live: LiveSearch) -> CandidateState | None:
        """Return the candidate that the user looks at: the chosen one, else the best."""
        return live.state.rows.get(self.view(live).shown or "") or live.state.best_row

    def refresh(self) -> None:
        """Ask the editor to request lenses and inlay hints again, if it supports that."""
        if self.client.lens_refresh:
            self._lenses.stir()
        if self.client.hint_refresh and self.hinting:
            self._hints.stir()

    def searches_in(self, document: Document) -> Iterator[tuple[LiveSearch, Target]]:
        """Yield the searches about functions of a document, with their functions in the current text.

        Searches about to be replaced are left out.
        """
        if document.path is not None:
            for live in self.searches.of_document(document.path):
                target = document.target_again(live.resolved.target)
                if target is not None and live.acceptance.successor is None:
                    yield live, target

    def searches_at(self, document: Document, position: types.Position) -> tuple[LiveSearch, ...]:
        """Return the searches about the function at a position."""
        return self.searches_about(document, document.target_at(Position(position.line, position.character)))

    def searches_about(self, document: Document, here: Target | None) -> tuple[LiveSearch, ...]:
        """Return the searches about a function of a document; none if there is none."""
        if here is None:
            return ()
        return tuple(live for live, target in self.searches_in(document) if target.is_same(here))

    async def request(
        self,
        uri: str,
        place: Place,
        *,
        instruction: str = "",
        goal: Literal["", "faster"] = "",
        selected: Span | None = None,
        flags: Section | None = None,
        background: bool = False,
        preserve: bool = False,
    ) -> Request:
        """Return a request for a place of a document, with the current text and settings.

        Raises:
            BadRequest: The document is not open and has no file, or its file is no Python text.
        """
        document, path = self.documents.get(uri), self.path_of(uri)
        text = document.whole if document is not None else read_source(path)
        return Request(
            document=path,
            text=text,
            place=place,
            instruction=instruction,
            goal=goal,
            selected=selected,
            unsaved={other: text for other, text in self.documents.unsaved().items() if other != path},
            folders=tuple(self.folders.values()),
            client=await self.settings.of(self.folder_of(path)),
            flags=flags,
            background=background,
            editor=True,
            preserve=preserve,
        )

    async def _request_for(self, symptom: Symptom) -> Request:
        """Return the request for a function that may be wrong; raises the errors of `request`."""
        document = self.documents.of_file(symptom.document)
        return await self.request(uri_of(symptom.document) if document is None else document.uri, symptom.place)

    def path_of(self, uri: str) -> Path:
        """Return the file of a document or folder; for a notebook cell, the path its module would have.

        Raises:
            BadRequest: It has none.
        """
        document = self.documents.get(uri)
        path = path_of(uri) if document is None else document.path
        if path is None:
            raise BadRequest(no_file(uri))
        return path

    def uri_of(self, live: LiveSearch) -> str:
        """Return the URI of a search's document, in the editor's spelling if it is open."""
        document = self.documents.of_file(live.document)
        return document.uri if document is not None else uri_of(live.document)

    async def read_ahead(self, uri: str) -> None:
        """Parse a document when typing pauses; editors wait longer than this before they request code actions."""
        document = self.documents.get(uri)
        await anyio.sleep(READ_AHEAD_SECONDS)
        if document is not None and document is self.documents.get(uri) and document.language == PYTHON:
            document.read()

    def recall(self, uri: str) -> None:
        """Restore the searches of earlier processes for the project of a document, silently."""
        path = path_of(uri)
        if path is not None:
            done = anyio.Event()
            self._recalls.add(done)
            self.start(self._recall, path, done)

    async def _recall(self, path: Path, done: anyio.Event) -> None:
        try:
            folders, client = tuple(self.folders.values()), await self.settings.of(self.folder_of(path))
            await restore_searches(self.searches, path, folders, client, self.loans)
        finally:
            done.set()
            self._recalls.discard(done)

    async def recalled(self) -> None:
        """Wait for the restoration of searches for all open documents."""
        for done in tuple(self._recalls):
            await done.wait()

    async def search(self, search_id: str) -> LiveSearch:
        """Return a search; waits for restoration if it is not known yet.

        Raises:
            SearchNotFound: There is none of that id.
        """
        if self._recalls and not any(live.id == search_id for live in self.searches):
            await self.recalled()
        return self.searches.get(search_id)

    async def ask_settings(self) -> None:
        """Request the settings of each folder from the editor."""
        if not self.client.configuration:
            return
        expected = self.settings.expect()
        scopes: dict[Path | None, str | None] = {None: None, **{path: uri for uri, path in self.folders.items()}}
        answers = await self.window.configuration(tuple(scopes.values()))
        self.settings.take(expected, tuple(scopes), answers)

    def folder_of(self, path: Path) -> Path | None:
        """Return the innermost workspace folder that holds a file."""
        holding = [folder for folder in self.folders.values() if path.is_relative_to(folder)]
        return max(holding, key=lambda folder: len(folder.parts), default=None)

    def _hear(self, live: LiveSearch, event: Event) -> None:  # noqa: ARG002 - any event is news
        """React to an event of a search; a dismissed search is shown nowhere."""
        view = self._views.get(live.id)
        if view is not None:
            view.stirred.set()

    def _warn(self, sentence: str) -> None:
        """Show a warning that concerns more than one search."""
        self.window.say(sentence, types.MessageType.Warning)

    def _notice(self, live: LiveSearch) -> None:
        """Show that a search began, ended, is being accepted or is gone."""
        view = self._views.get(live.id)
        if view is not None and view.question is not None and (live not in self.searches or live.acceptance.accepting):
            view.question.cancel()
        if live not in self.searches:
            self._views.pop(live.id, None)
        self.hinting = self.hinting or live.resolved.settings.editor.inlay_hints
        if live.is_shown or live not in self.searches:
            self.refresh()


async def _with_edge(desk: EditorSession, work: Callable[..., Awaitable[None]], arguments: tuple[object, ...]) -> None:
    """Run background work so that its failure does not end the session."""
    try:
        await work(*arguments)
    except Exception:
        log.exception("background work of the desk met a bug")
        desk.window.say("internal error in the background; the log has the details.", types.MessageType.Error)
