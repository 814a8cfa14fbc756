"""What a hostile candidate must not touch: a project, a home with a key, servers, a process; and how they fare."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from certo.sandbox.census import census, start_of

SECRET = "sk-SECRET-of-the-user"
"""A key as it stands in the user's environment."""

_WAIT = "import sys; print('ready', flush=True); sys.stdin.read()"


@dataclass(frozen=True, kw_only=True)
class World:
    """The user's things around one run; all of it is real, and made for this run alone.

    `victim` is a process of the user's whose environment holds a key, `mark` a word that is found nowhere else.
    """

    project: Path
    home: Path
    mark: str
    victim: subprocess.Popen[str]
    servers: dict[str, socket.socket]
    root_owned: Path
    before: str

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
            "MARK": self.mark,
        }
        return "".join(f"{name} = {value!r}\n" for name, value in pairs.items())

    def harm(self) -> list[str]:
        """What a run did to it, in words; nothing, when all is well."""
        found = [f"{name} was reached" for name, server in self.servers.items() if _was_reached(server)]
        if digest(self.project, self.home) != self.before:
            found.append("files of the project or the home were changed")
        if self.victim.poll() is not None:
            found.append(f"the victim ended with status {self.victim.returncode}")
        own = f"certo-{os.getpid()}-{start_of(os.getpid())}-"
        found += [f"{pid} survived" for pid in self._survivors(own)]
        found += [f"{path} was left" for path in Path(tempfile.gettempdir()).glob(own + "*")]
        found += [f"{path} was written" for path in self._strays()]
        return found

    def _survivors(self, own: str) -> Iterator[int]:
        """Processes with our mark, or with that of a scratch directory, in their command line or environment."""
        for process in census():
            if process.pid in (os.getpid(), self.victim.pid):
                continue
            for part in ("cmdline", "environ"):
                try:
                    words = Path(f"/proc/{process.pid}/{part}").read_bytes()
                except OSError:
                    continue
                if own.encode() in words or self.mark.encode() in words:
                    yield process.pid
                    break

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
        yield World(
            project=project,
            home=home,
            mark=mark,
            victim=victim,
            servers=servers,
            root_owned=closed / "file",
            before="",
        )
    finally:
        for server in servers.values():
            name = server.getsockname()
            server.close()
            if isinstance(name, str):
                os.unlink(name)
        victim.kill()
        victim.communicate()


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
