"""Things that a hostile candidate must not touch: a project, a home with a key, servers, a process; and their state."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import pytest

from certo.sandbox.process.process_table import process_table, start_of
from hostile.in_kernel import Shared, shared
from support.projects.projects import write_project

SECRET = "sk-SECRET-of-the-user"
"""A key as it stands in the user's environment."""

_WAIT = "import sys; print('ready', flush=True); sys.stdin.read()"


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Our processes by id and start, and files below our scratch directories."""

    processes: frozenset[tuple[int, int]] = frozenset()
    files: frozenset[Path] = frozenset()


@dataclass(kw_only=True)
class World:
    """The user's things around the runs of one court; all of it is real, and made for this court alone.

    `victim` is a process of the user's whose environment holds a key, `mark` a word that is found nowhere else.
    `before` and `standing` are how the files of the user's are and what there is of ours, as of `look`.
    """

    project: Path
    home: Path
    mark: str
    victim: subprocess.Popen[str]
    servers: dict[str, socket.socket]
    shared: Shared
    root_owned: Path
    before: str = ""
    standing: Standing = field(default_factory=Standing)
    niceness: int = 0

    @property
    def names(self) -> str:
        """Assignments of the names by which rows know these things."""
        pairs = {
            "HOME": str(self.home),
            "PROJECT": str(self.project),
            "VICTIM": self.victim.pid,
            "TCP": self.servers["TCP"].getsockname(),
            "UDP": self.servers["UDP"].getsockname(),
            "SOCKET": self.servers["SOCKET"].getsockname(),
            "DATAGRAMS": self.servers["DATAGRAMS"].getsockname(),
            "ABSTRACT": self.mark,
            "MEMORY": self.shared.memory,
            "MESSAGES": self.shared.messages,
            "SEMAPHORE": self.shared.semaphore,
            "QUEUE": self.shared.queue,
            "MARK": self.mark,
        }
        return "".join(f"{name} = {value!r}\n" for name, value in pairs.items())

    def look(self) -> None:
        """Remember the state of everything: any difference from now on is harm."""
        self.before, self.standing = digest(self.project, self.home), self._ours()
        self.niceness = os.getpriority(os.PRIO_PROCESS, self.victim.pid)

    def harm(self) -> list[str]:
        """Return the harm that a run did to it, in words; empty if there is none."""
        found = [f"{name} was reached" for name, server in self.servers.items() if _was_reached(server)]
        found += self.shared.harm()
        if digest(self.project, self.home) != self.before:
            found.append("files of the project or the home were changed")
        if self.victim.poll() is not None:
            found.append(f"the victim ended with status {self.victim.returncode}")
        elif os.getpriority(os.PRIO_PROCESS, self.victim.pid) != self.niceness:
            found.append("the victim was made to wait for others")
        now, then = self._ours(), self.standing
        found += [f"{pid} survived" for pid, _ in now.processes - then.processes]
        found += [f"{pid}, which runs start from, did not survive" for pid, _ in then.processes - now.processes]
        found += [f"{path} was left" for path in now.files - then.files]
        found += [f"{path} was removed" for path in then.files - now.files]
        found += [f"{path} was written" for path in self._strays()]
        return found

    def _ours(self) -> Standing:
        """Return processes and files with our mark or of a scratch folder, in command line, environment or name."""
        own = f"certo-{os.getpid()}-{start_of(os.getpid())}-"
        processes = set()
        for process in process_table():
            if process.pid in (os.getpid(), self.victim.pid):
                continue
            for part in ("cmdline", "environ"):
                with suppress(OSError):
                    words = Path(f"/proc/{process.pid}/{part}").read_bytes()
                    if own.encode() in words or self.mark.encode() in words:
                        processes.add((process.pid, process.start))
        scratch = list(Path(tempfile.gettempdir()).glob(own + "*"))
        files = {path for directory in scratch for path in (directory, *directory.rglob("*"))}
        return Standing(processes=frozenset(processes), files=frozenset(files))

    def _strays(self) -> Iterator[Path]:
        """Files with our mark in their name, in the places that many may write to; they are removed."""
        places = ("/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/etc", "/usr", sys.prefix)
        for place in (*places, sysconfig.get_path("purelib"), self.project.parent):
            for path in Path(place).glob(self.mark + "*"):
                path.unlink()
                yield path


@contextmanager
def world(place: Path) -> Iterator[World]:
    """Make a world around an empty project in `place`."""
    project, home, closed = place / "project", place / "home", place / "closed"
    mark = f"mark-{uuid4().hex[:12]}"
    for directory in (project, home / ".ssh", closed):
        directory.mkdir(parents=True)
    closed.chmod(0o700)
    (closed / "file").write_text("of root alone")
    (home / ".ssh" / "id_rsa").write_text("SECRET KEY")
    (home / ".ssh" / "id_rsa").chmod(0o600)
    (home / ".bashrc").write_text("# the user's own\n")
    for name in (".config/token", ".local/share/certo/journal", ".local/share/keyrings/login.keyring", ".bash_history"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("SECRET of the user\n")
    victim = subprocess.Popen(
        [sys.executable, "-S", "-c", _WAIT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"OPENAI_API_KEY": SECRET, "HOME": str(home)},
    )
    servers = _servers(mark)
    try:
        assert victim.stdout is not None
        assert victim.stdout.readline() == "ready\n"
        with shared(mark) as things:
            yield World(
                project=project,
                home=home,
                mark=mark,
                victim=victim,
                servers=servers,
                shared=things,
                root_owned=closed / "file",
            )
    finally:
        for server in servers.values():
            name = server.getsockname()
            server.close()
            if isinstance(name, str):
                os.unlink(name)
        victim.kill()
        victim.communicate()


@contextmanager
def users_world(place: Path, files: Mapping[str, str]) -> Iterator[World]:
    """A world with a project of these files in it; the environment of this process is the user's meanwhile."""
    with world(place) as around, pytest.MonkeyPatch.context() as patch:
        write_project(around.project, files)
        if (around.project / ".env").exists():
            # Other names of what is secret: a hard link, and links whose own names say nothing.
            os.link(around.project / ".env", around.project / "hard")
            os.link(around.project / "local_data.json", around.project / "plain.txt")
            (around.project / "link").symlink_to(".env")
            (around.project / "linked").symlink_to("config")
            (around.project / "up").symlink_to(".")
            (around.project / "settings.env").symlink_to("real-settings")
        patch.setenv("HOME", str(around.home))
        patch.setenv("OPENAI_API_KEY", SECRET)
        yield around


def digest(*roots: Path) -> str:
    """A digest of all that is below `roots`: names, modes, owners, sizes, times of change, texts, links."""
    whole = hashlib.sha256()
    for root in roots:
        for path in (root, *sorted(root.rglob("*"))):
            about = path.lstat()
            facts = (str(path), about.st_mode, about.st_uid, about.st_gid, about.st_nlink, about.st_mtime_ns)
            whole.update(repr(facts).encode())
            if path.is_symlink():
                whole.update(os.readlink(path).encode())
            elif path.is_file():
                whole.update(path.read_bytes())
    return whole.hexdigest()


def _servers(mark: str) -> dict[str, socket.socket]:
    # A socket's path may have about a hundred characters, and the folders of tests have long names.
    short = str(Path(tempfile.gettempdir()) / mark[:12])
    made = {
        "TCP": socket.socket(socket.AF_INET, socket.SOCK_STREAM),
        "UDP": socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "SOCKET": socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
        "DATAGRAMS": socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM),
        "ABSTRACT": socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
    }
    places = {
        "TCP": ("127.0.0.1", 0),
        "UDP": ("127.0.0.1", 0),
        "SOCKET": short + ".calls",
        "DATAGRAMS": short + ".datagrams",
        "ABSTRACT": b"\0" + mark.encode(),
    }
    for name, server in made.items():
        server.setblocking(False)
        server.bind(places[name])
        if server.type == socket.SOCK_STREAM:
            server.listen()
    return made


def _was_reached(server: socket.socket) -> bool:
    try:
        if server.type == socket.SOCK_STREAM:
            server.accept()[0].close()
        else:
            server.recv(1)
    except BlockingIOError:
        return False
    return True
