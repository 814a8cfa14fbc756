"""Experiments on git: a repository for each search that borrows the user's objects without writing to them.

Each search has its own repository, so forgetting a search means removing a directory. It reads the user's objects
through `objects/info/alternates`, as `git clone --shared` does.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import field, replace
from pathlib import Path, PurePath

import anyio

from certo.project.candidate_store.checkout import Change, check_out
from certo.project.candidate_store.directories import remove, set_aside
from certo.project.candidate_store.fast_import import ImportEntry, Importing, importing
from certo.project.candidate_store.replacement import Replacement
from certo.project.candidate_store.snapshot import WRITTEN, as_blob, borrow_index, place_of, take_snapshot
from certo.project.candidate_store.store import CheckedOut, Files, StoredCandidate, branch_name, number_in
from certo.project.git import Git, our_git, users_git
from certo.project.repository import Repository
from certo.vocabulary.errors import CandidateNotFound, ExperimentsUnavailable
from certo.vocabulary.records import dataclass

_FOLDERS = ("objects/info", "objects/pack", "refs/heads", "refs/tags", WRITTEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class GitExperiments:
    """Experiments of one search in a bare repository at `place`; `environ` is the user's environment.

    `say` receives a message about anything set aside.
    """

    search: str
    place: Path
    repository: Repository
    program: str
    environ: Mapping[str, str]
    say: Callable[[str], None]

    @asynccontextmanager
    async def begun(self, texts: Files) -> AsyncIterator[GitKeeping]:
        """Create the base unless it exists, and keep a process that takes commits."""
        try:
            known = await self._sound() if self.place.exists() else {}
        except ExperimentsUnavailable as failure:
            kept = set_aside(self.place)
            self.say(f"the experiments of search {self.search} cannot be used: {failure}. They are kept in {kept}")
            known = {}
        if not known:
            await self._make_base(texts)
            known = await self._commits()
        async with AsyncExitStack() as stack:
            process = await stack.enter_async_context(importing(self._git(), self.place))
            yield GitKeeping(experiments=self, importing=process, known=known)

    async def numbers(self) -> tuple[int, ...]:
        """Return the numbers of experiments with a branch."""
        return tuple(sorted(number for number in await self._commits() if number is not None))

    async def message(self, number: int) -> str:
        """Return the message of an experiment's commit."""
        said = await self._git().ask("log", "-1", "--format=%B", await self.commit_of(number))
        return said.decode("utf-8", "replace").strip() + "\n"

    async def files(self, number: int) -> Files:
        """Return the files of an experiment that differ from the base, with the line breaks used on disk."""
        prefix = self.repository.prefix
        changed = await self._changed(number)
        return {
            path.removeprefix(prefix): await self._on_disk(blob, path)
            for path, (_, blob, _) in changed.items()
            if path.startswith(prefix)
        }

    @asynccontextmanager
    async def materialized(self, number: int | None) -> AsyncIterator[Path]:
        """Create a work tree of an experiment, detached from its branch; it is removed afterwards."""
        commit = await self.commit_of(number)
        scratch = Path(tempfile.mkdtemp(prefix="certo-experiment-"))
        try:
            git = self._git()
            await git.ask("worktree", "add", "--detach", "--quiet", str(scratch / "tree"), commit)
            yield scratch / "tree" / self.repository.prefix
        finally:
            with anyio.CancelScope(shield=True):
                shutil.rmtree(scratch, ignore_errors=True)
                await self._git().ask("worktree", "prune", "--expire", "now")

    async def check_out(self, number: int, branch: str) -> CheckedOut:
        """Commit the experiment's changes on top of the user's HEAD, on a new branch."""
        changes = {path: await self._change(path, *each) for path, each in (await self._changed(number)).items()}
        git = users_git(self.program, self.repository.top, self.environ)
        done = await check_out(git, self.repository, changes, await self.message(number), branch)
        return replace(done, paths=self._seen(done.paths), mixed=self._seen(done.mixed))

    async def forget(self) -> None:
        """Remove the repository."""
        await remove(self.place)

    async def commit_of(self, number: int | None) -> str:
        """Return the commit of an experiment, or of the base.

        Raises:
            CandidateNotFound: There is none of that number.
        """
        known = await self._commits()
        if number not in known:
            kept = ", ".join(f"#{each}" for each in sorted(each for each in known if each is not None)) or "none"
            raise CandidateNotFound(f"search {self.search} keeps no experiment #{number}; it has {kept}")
        return known[number]

    def _seen(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Return paths of the repository relative to the project's root."""
        return tuple(PurePath(os.path.relpath(path, self.repository.prefix or ".")).as_posix() for path in paths)

    async def _changed(self, number: int) -> dict[str, tuple[str | None, str | None, str]]:
        """Return the changes of an experiment by path: object ids before and after, and the mode after."""
        base, theirs = await self.commit_of(None), await self.commit_of(number)
        words = ("diff-tree", "-r", "-z", "--no-renames", "--raw", "--abbrev=64", base, theirs)
        fields = [os.fsdecode(each) for each in (await self._git().ask(*words)).split(b"\0") if each]
        found: dict[str, tuple[str | None, str | None, str]] = {}
        for facts, path in zip(fields[::2], fields[1::2], strict=True):
            _, mode, before, after, _ = facts.split(" ")
            found[path] = (_object(before), _object(after), mode)
        return found

    async def _change(self, path: str, blob_before: str | None, blob: str | None, mode: str) -> Change:
        """Return the change of the user's file; it is compared by the object git would make of it."""
        before, after = await self._held(blob_before), await self._held(blob)
        file = Replacement(before=before, after=after, executable=mode == "100755")
        own = self.repository.top / path
        if own.is_file() and not own.is_symlink() and (content := own.read_bytes()) not in (before, after):
            kept = await as_blob(self.over_work_tree(), path, content)
            if kept in (blob_before, blob):
                wanted = content if kept == blob else await self._on_disk(blob, path)
                file = replace(file, before=content, after=wanted)
        return Change(blob_before=blob_before, blob=blob, before=before, after=after, mode=mode, file=file)

    async def _on_disk(self, blob: str | None, path: str) -> bytes | None:
        """Return an object's content as the file at `path` has it on disk, filters applied."""
        if blob is None:
            return None
        return await self.over_work_tree().ask("cat-file", "--filters", f"--path={path}", blob)

    async def _held(self, blob: str | None) -> bytes | None:
        """Return the content of an object; None for no object."""
        return None if blob is None else await self._git().ask("cat-file", "blob", blob)

    def over_work_tree(self) -> Git:
        """Return git on certo's repository with the user's work tree and a separate index."""
        return our_git(
            self.program,
            self.repository.top,
            self.environ,
            GIT_DIR=self.place,
            GIT_WORK_TREE=self.repository.top,
            GIT_INDEX_FILE=self.place / "index",
        )

    def _git(self) -> Git:
        return our_git(self.program, self.place, self.environ, GIT_DIR=self.place)

    async def _commits(self) -> dict[int | None, str]:
        """Return the commits of all branches by number, the base under None; empty if there is no base."""
        if not self.place.exists():
            return {}
        said = await self._git().ask("for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/heads/certo/")
        named = (line.split(" ") for line in said.decode().splitlines())
        found = {branch: commit for commit, branch in named}
        base = found.pop(branch_name(self.search, None), None)
        if base is None:
            return {}
        numbered = {number_in(branch): commit for branch, commit in found.items()}
        return {**{number: commit for number, commit in numbered.items() if number is not None}, None: base}

    async def _sound(self) -> dict[int | None, str]:
        """Return the same commits after checking that their files are readable."""
        known = await self._commits()
        if not known:
            raise ExperimentsUnavailable(f"{self.place} has no commit to begin with")
        for commit in known.values():
            await self._git().ask("rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}")
        return known

    async def _make_base(self, texts: Files) -> None:
        """Create the repository atomically, with a commit of the user's current work."""
        draft = self.place.with_name(f".{self.search}-{secrets.token_hex(4)}")
        drafted = replace(self, place=draft)
        try:
            _lay_out(draft, self.repository)
            borrow_index(self.repository, draft / "index")
            entries = await take_snapshot(drafted.over_work_tree(), self.repository, texts)
            (draft / "index").unlink(missing_ok=True)
            message = f"The project as search {self.search} found it\n\nCerto-Search: {self.search}\n".encode()
            async with importing(drafted._git(), draft) as process:
                await process.commit(branch_name(self.search, None), self.repository.head, entries, message)
            os.rename(draft, self.place)
        except OSError as error:
            raise ExperimentsUnavailable(f"{self.place} cannot be written: {error.strerror or error}") from error
        finally:
            with anyio.CancelScope(shield=True):
                await remove(draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class GitKeeping:
    """Writer for the experiments of a running search; `known` are the existing commits by number."""

    experiments: GitExperiments
    importing: Importing
    known: dict[int | None, str] = field(default_factory=dict)

    async def keep(self, experiment: StoredCandidate) -> str:
        """Commit an experiment on top of its parent."""
        if experiment.number in self.known:
            return self.known[experiment.number]
        whole = self.experiments.over_work_tree()
        repository = self.experiments.repository
        entries = []
        for path, content in experiment.files.items():
            place = place_of(repository, path)
            # Only files with carriage returns may differ between repository and disk, and few have any.
            kept = await as_blob(whole, place, content) if content is not None and b"\r" in content else content
            entries.append(ImportEntry(path=place, content=kept))
        parent = self.known.get(experiment.parent) or self.known[None]
        branch = branch_name(self.experiments.search, experiment.number)
        message = experiment.message.encode("utf-8", "replace")
        made = await self.importing.commit(branch, parent, tuple(entries), message)
        self.known[experiment.number] = made
        return made


def _lay_out(place: Path, repository: Repository) -> None:
    """Write an empty bare repository that borrows the user's objects and converts files as the user's does."""
    for folder in (place.parent, place, *(place / name for name in _FOLDERS)):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (place / "HEAD").write_text("ref: refs/heads/certo/none\n", encoding="ascii")
    version = 0 if repository.hashing == "sha1" else 1
    # Data must survive the death of a process, not a power failure.
    settings = {"repositoryformatversion": version, "bare": "true", "fsync": "none", **repository.conversions}
    lines = ["[core]", *(f"{name} = {value}" for name, value in settings.items())]
    if version:
        lines += ["[extensions]", f"objectFormat = {repository.hashing}"]
    (place / "config").write_text("\n".join(lines) + "\n", encoding="ascii")
    objects = os.fsencode(repository.common / "objects")
    quoted = objects.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    (place / "objects" / "info" / "alternates").write_bytes(b'../%s\n"%s"\n' % (WRITTEN.encode(), quoted))
    shallow = repository.common / "shallow"
    if shallow.is_file():
        shutil.copy2(shallow, place / "shallow")


def _object(name: str) -> str | None:
    """Return the id of an object; None for the all-zero id that git prints for no object."""
    return name if name.strip("0") else None
