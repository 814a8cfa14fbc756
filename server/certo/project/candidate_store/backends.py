"""Choice of storage for a search's experiments: git if the project is in a repository, plain files otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from certo.project.candidate_store.directories import SET_ASIDE, remove
from certo.project.candidate_store.file_store import PlainExperiments
from certo.project.candidate_store.git_store import GitExperiments
from certo.project.candidate_store.store import CandidateStore
from certo.project.git import find_git
from certo.project.repository import find_repository
from certo.vocabulary.errors import ExperimentsUnavailable
from certo.vocabulary.records import dataclass

_ON_GIT = ".git"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentsOf:
    """Experiments of all searches of the project at `root`, in a folder used for this project only.

    `environ` is the user's environment; `say` receives a message about anything set aside.
    """

    root: Path
    folder: Path
    environ: Mapping[str, str]
    say: Callable[[str], None]

    async def of(self, search: str) -> CandidateStore:
        """Return the experiments of one search, in their existing format or in the best one available.

        Raises:
            ExperimentsUnavailable: They exist in a format that is no longer available, or git failed.
        """
        on_git, plainly = self._places(search)
        plain = PlainExperiments(search=search, place=plainly, root=self.root, say=self.say)
        if plainly.exists():
            return plain
        program = await find_git(self.environ)
        repository = await find_repository(program, self.root, self.environ) if program is not None else None
        if program is not None and repository is not None:
            return GitExperiments(
                search=search,
                place=on_git,
                repository=repository,
                program=program,
                environ=self.environ,
                say=self.say,
            )
        if on_git.exists():
            lack = "git is not here, or too old" if program is None else f"{self.root} is in no work tree"
            raise ExperimentsUnavailable(f"the experiments of search {search} are kept on git, and {lack}")
        return plain

    def searches(self) -> frozenset[str]:
        """Return the ids of searches with stored experiments."""
        return frozenset(_search_of(place) for place in self._all())

    async def forget(self, search: str) -> None:
        """Delete a search's experiments, set-aside ones included; the last search takes the folder with it.

        Raises:
            ExperimentsUnavailable: Something cannot be removed.
        """
        for place in [place for place in self._all() if _search_of(place) == search]:
            await remove(place)
        if self.folder.exists() and not any(self.folder.iterdir()):
            await remove(self.folder)

    def _places(self, search: str) -> tuple[Path, Path]:
        return self.folder / f"{search}{_ON_GIT}", self.folder / search

    def _all(self) -> Iterator[Path]:
        return iter(tuple(self.folder.iterdir()) if self.folder.is_dir() else ())


def _search_of(place: Path) -> str:
    """Return the search of a folder, also of one being created or set aside."""
    name = place.name.partition(SET_ASIDE)[0].removesuffix(_ON_GIT)
    return re.sub(r"^\.(.+)-[^-]*$", r"\1", name)
