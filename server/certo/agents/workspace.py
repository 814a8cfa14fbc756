"""All that an agent may reach: folders it was given, projects opened in them, searches, and kept reports."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from anyio.abc import TaskGroup, TaskStatus

from certo.api.project import Project
from certo.api.project_search import ProjectSearch
from certo.concurrency import side_by_side
from certo.vocabulary.errors import BadRequest, SearchNotFound
from certo.vocabulary.records import dataclass

MAX_JOBS = 4
"""Maximum number of tools at work at the same time; further calls wait."""

MAX_SEARCHES = 50
REPORT = "certo://reports/{report}"
"""The address of the structured answer of a call, as JSON."""

DIFF = "certo://diffs/{search}/{candidate}"
"""The address of the diff of a candidate that passed."""

MAX_REPORTS = 200
"""Maximum numbers of searches and of reports that are kept; the oldest go first."""

MAX_PROJECTS = 8
"""Maximum number of projects that are open at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptReport:
    """A report or a diff that can be read again as a resource."""

    uri: str
    name: str
    media_type: str
    text: str


class Workspace:
    """The projects, searches and reports of one server. `roots` are the folders that a client may name."""

    def __init__(self, roots: Sequence[Path], group: TaskGroup) -> None:
        self.roots = tuple(root.resolve() for root in roots)
        self.jobs = anyio.CapacityLimiter(MAX_JOBS)
        self._group = group
        self._opening = anyio.Lock()
        self._projects: dict[Path, Project] = {}
        self._searches: OrderedDict[str, ProjectSearch] = OrderedDict()
        self._reports: OrderedDict[str, KeptReport] = OrderedDict()
        self._numbered = 0

    async def project(self, root: str) -> Project:
        """Return the open project in a folder, by default in the first root.

        Raises:
            BadRequest: The folder is outside of the roots, or none; or too many projects are open.
        """
        folder = self._folder(root)
        async with self._opening:
            if folder not in self._projects:
                if len(self._projects) >= MAX_PROJECTS:
                    raise BadRequest(f"{MAX_PROJECTS} projects are open; start another server for {folder}")
                project = Project(folder)
                await self._group.start(self._keep_open, project)
                self._projects[folder] = project
            return self._projects[folder]

    def within(self, project: Project, path: str) -> Path:
        """Return a file of a project by its path relative to it.

        Raises:
            BadRequest: It is outside of the project.
        """
        file = (project.root / path).resolve()
        if not file.is_relative_to(project.root):
            raise BadRequest(f"{path} is outside of the project {project.root}")
        return file

    def keep_search(self, search: ProjectSearch) -> None:
        """Remember a search, so that its candidates can be explained, compared and applied later."""
        self._searches[search.id] = search
        while len(self._searches) > MAX_SEARCHES:
            self._searches.popitem(last=False)

    def search(self, search_id: str) -> ProjectSearch:
        """Return a search of this server.

        Raises:
            SearchNotFound: There is none of that id.
        """
        if search_id not in self._searches:
            raise SearchNotFound(f"there is no search {search_id!r} here; start one with repair or generate")
        return self._searches[search_id]

    def keep_report(self, tool: str, text: str, media_type: str = "application/json") -> str:
        """Keep a report, and return its address."""
        self._numbered += 1
        name = f"{tool}-{self._numbered}"
        uri = REPORT.format(report=name)
        self._keep(KeptReport(uri=uri, name=name, media_type=media_type, text=text))
        return uri

    def keep_diff(self, search_id: str, candidate_id: str, diff: str) -> str:
        """Keep the diff of a candidate, and return its address."""
        uri = DIFF.format(search=search_id, candidate=candidate_id)
        self._keep(KeptReport(uri=uri, name=f"{search_id}-{candidate_id}.diff", media_type="text/x-diff", text=diff))
        return uri

    def reports(self) -> tuple[KeptReport, ...]:
        """Return all that is kept, the oldest first."""
        return tuple(self._reports.values())

    def report(self, uri: str) -> KeptReport | None:
        """Return what is kept under an address; None if there is nothing."""
        return self._reports.get(uri)

    def _keep(self, report: KeptReport) -> None:
        self._reports[report.uri] = report
        while len(self._reports) > MAX_REPORTS:
            self._reports.popitem(last=False)

    def _folder(self, root: str) -> Path:
        # A relative name means below the first root; links are followed before the check.
        folder = (self.roots[0] / Path(root)).resolve()
        if not any(folder.is_relative_to(allowed) for allowed in self.roots):
            allowed = ", ".join(map(str, self.roots))
            raise BadRequest(
                f"{root} is outside of the folders this server may use ({allowed}); start it with --root {root}"
            )
        if not folder.is_dir():
            raise BadRequest(f"{root} is no folder; give one at or below {self.roots[0]}")
        return folder

    async def _keep_open(self, project: Project, *, task_status: TaskStatus[None]) -> None:
        async with project:
            task_status.started()
            await anyio.sleep_forever()


@asynccontextmanager
async def open_workspace(roots: Sequence[Path]) -> AsyncIterator[Workspace]:
    """Yield a workspace; at the end, all that runs in it is cancelled and gone."""
    async with side_by_side() as group:
        yield Workspace(roots, group)
        group.cancel_scope.cancel()
