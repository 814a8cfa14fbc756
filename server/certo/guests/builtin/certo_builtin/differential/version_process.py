"""A version of a function in a process of its own, which holds no other version and none of its outcomes.

All such processes are forked from one state before any call is made, and make their calls in copies of themselves. So a
version cannot ask another what it gives, and has nothing to copy from: the text of the others is not in its memory, and
their files on the disk are closed to it where the kernel has Landlock. What comes out is read as data from an unknown
sender and compared in the process that started them, where no version is ever executed.
"""

from __future__ import annotations

import glob
import json
import linecache
import os
import socket
import sys
import tempfile
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from certo_builtin.differential.versions import (
    STEPS,
    Call,
    Loaded,
    LocalVersion,
    Outcome,
    Place,
    Unrunnable,
    checked,
)
from certo_builtin.execution.allowance import Allowance, Spent
from certo_worker.confinement import activation
from certo_worker.process import overlay, own_descriptors


class VersionProcess:
    """A process that makes calls of one version, and answers over a socket."""

    def __init__(self, prepare: Callable[[], LocalVersion], allowance: Allowance) -> None:
        """Start it; `prepare` is called there, and may raise Unrunnable."""
        ours, theirs = socket.socketpair()
        self.lines: List[Tuple[int, str]] = []
        self.hung = 0
        self._allowance = allowance
        self._pid = os.fork()
        if self._pid == 0:
            ours.close()
            try:
                _serve(theirs, prepare)
            finally:
                os._exit(0)
        theirs.close()
        own_descriptors.keep(ours.fileno())
        self._socket = ours
        self._stream = ours.makefile("rw", encoding="utf-8")

    def begin(self) -> None:
        """Learn the branches; raise Unrunnable if the function cannot be called there."""
        said = self._answer()
        if "trouble" in said:
            raise Unrunnable(said["trouble"])
        self.lines = [tuple(line) for line in said["lines"]]

    def outcomes(
        self, calls: Sequence[Call], *, backwards: bool = False, alone: bool = False, steps: int = STEPS
    ) -> List[Optional[Outcome]]:
        """Make the calls there; see `LocalVersion`."""
        if not calls:
            return []
        question = {"calls": list(calls), "backwards": backwards, "alone": alone, "steps": steps}
        self._stream.write(json.dumps([self._allowance.left, question]) + "\n")
        self._stream.flush()
        said = self._answer()
        self._allowance.take(said["took"])
        if "outcomes" not in said:
            raise self._allowance.spent()
        return [None if one is None else checked(one) for one in said["outcomes"]]

    def end(self) -> None:
        """End the process, and have its processor time accounted for."""
        own_descriptors.release(self._socket.fileno())
        self._stream.close()
        self._socket.close()
        os.waitpid(self._pid, 0)

    def _answer(self) -> Dict[str, Any]:
        line = self._stream.readline()
        if not line:
            raise Unrunnable("the process of a version has ended")
        said: Dict[str, Any] = json.loads(line)
        return said


def _serve(connection: socket.socket, prepare: Callable[[], LocalVersion]) -> None:
    """Answer questions for outcomes until the other side is gone."""
    own_descriptors.keep(connection.fileno())
    stream = connection.makefile("rw", encoding="utf-8")

    def say(answer: Dict[str, Any]) -> None:
        stream.write(json.dumps(answer) + "\n")
        stream.flush()

    try:
        version = prepare()
    except Unrunnable as trouble:
        say({"trouble": str(trouble)})
        return
    say({"lines": version.lines})
    for line in stream:
        seconds, question = json.loads(line)
        version.loaded.allowance = allowance = Allowance(seconds)
        answer: Dict[str, Any] = {}
        try:
            answer["outcomes"] = version.outcomes(**question)
        except Spent:
            pass
        say({"took": allowance.used, **answer})


def kept_alone(version: LocalVersion, others: Sequence[LocalVersion], request: Dict[str, Any]) -> LocalVersion:
    """Put a version in place for good, and forget everything in this process that tells of other ones."""
    loaded = version.loaded
    version.put_in_place()
    hidden = withdraw_sources(loaded)
    # The frames that led here hold the request itself, so it is emptied and not only let go.
    request.clear()
    for other in others:
        if other is not version:
            other.forget()
    loaded.forget()
    loaded.see_more()
    activation.conceal(hidden)
    return version


def withdraw_sources(loaded: Loaded) -> List[str]:
    """Forget the text that was loaded outside of `loaded`, and return the places at which it can be read."""
    hidden = _sources(loaded.place.root, loaded.place.path)
    for file in {loaded.hot_swap.filename, *hidden}:
        linecache.cache.pop(file, None)
    overlay.withdraw(loaded.place.root, [loaded.place.path])
    return hidden


def other_tree(request: Dict[str, Any], texts: Dict[str, Optional[str]], seconds: float) -> LocalVersion:
    """Load the version in another tree of files: `texts` are those that differ, None for one that is not there.

    It must be called before anything of the project is imported.
    """
    root = request["root"]
    place = Place(root, *(request["old"][name] for name in ("path", "text", "line", "name")))
    hidden = [file for path in texts for file in _sources(root, path)]
    copies: Dict[str, Optional[str]] = {}
    with tempfile.TemporaryDirectory() as directory:
        for number, (path, text) in enumerate(texts.items()):
            copies[path] = None if text is None else os.path.join(directory, "{}.py".format(number))
            if text is not None:
                with open(str(copies[path]), "w", encoding="utf-8", newline="") as opened:
                    opened.write(text)
        overlay.install(root, copies)
    request.clear()
    # Before the import: the module of the tree itself is of the version as well.
    activation.conceal(hidden)
    version = LocalVersion(Loaded(place, Allowance(seconds)))
    version.put_in_place()
    version.loaded.see_more()
    return version


def _sources(root: str, path: str) -> List[str]:
    """Return the places at which the texts of a file can be read: itself, bytecode, history and the copies of a run."""
    file = os.path.join(root, *path.split("/"))
    folder, name = os.path.split(file)
    cached = glob.glob(os.path.join(glob.escape(folder), "__pycache__", glob.escape(name[:-3]) + ".*"))
    copies = os.path.join(os.path.dirname(tempfile.gettempdir()), "overlay")
    found = [file, *cached, os.path.join(root, ".git"), *([sys.pycache_prefix] if sys.pycache_prefix else []), copies]
    return sorted({*found, *map(os.path.realpath, found)})
