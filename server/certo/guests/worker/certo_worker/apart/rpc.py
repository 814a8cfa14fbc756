"""Asking and answering between two processes: either may ask while it answers, and the last asked is answered first."""

from __future__ import annotations

import socket
import threading
from typing import Any, Dict, List, Optional, Sequence

from certo_worker.apart.containers import Links
from certo_worker.apart.frames import Frames, PeerFailed, TooLarge
from certo_worker.apart.values import Unportable, Values


class RpcConnection:
    """One side of it. `first` is the number of its first container: even on one side, odd on the other."""

    def __init__(self, peer: socket.socket, first: int):
        self._frames = Frames(peer)
        self._links = Links(first)
        self._values = Values(self._links, self.refer, self.resolve)
        self._lock = threading.RLock()
        self.lost: Optional[str] = None
        """Why the other process can be asked nothing more."""

    def ask(self, kind: str, place: int = 0, name: str = "", values: Sequence[Any] = (), *, keep: bool = False) -> Any:
        """Ask one question and return the answer; questions that come meanwhile are answered.

        `keep` says that containers in the answer stay what they are for good, because they are attributes.

        Raises:
            BaseException: what the other process says was raised.
            PeerFailed: it says nothing of sense.
            Unportable: the question cannot be carried.
        """
        with self._lock:
            if self.lost is not None:
                raise PeerFailed(self.lost)
            mark = self._links.mark()
            try:
                return self._take_answer(self._hear_out(kind, place, name, values, keep), keep)
            except PeerFailed as failure:
                self.lost = str(failure)
                raise
            finally:
                self._links.release(mark)

    def _hear_out(self, kind: str, place: int, name: str, values: Sequence[Any], keep: bool) -> Dict[str, Any]:
        """Send a question and wait for its answer."""
        try:
            self._send({"ask": kind, "of": place, "name": name, "keep": keep}, list(values))
            message = self._frames.receive()
            while "ask" in message:
                self.answer(message)
                message = self._frames.receive()
            return message
        except (Unportable, TooLarge):
            raise
        except BaseException:
            # Whoever is interrupted here would take this answer for the one to the next question.
            self.lost = "was interrupted in the middle of an answer"
            raise

    def _take_answer(self, message: Dict[str, Any], keep: bool) -> Any:
        mark = self._links.mark()
        raised = "raised" in message
        with self._links.filling():
            self._take_changes(message)
            value = self._values.unpack(message.get("raised" if raised else "gave"))
        self._links.settle()
        if keep:
            self._links.keep(mark)
        if raised:
            raise self.raisable(value)
        return value

    def answer(self, message: Dict[str, Any]) -> None:
        """Answer one question of the other process.

        Raises:
            PeerFailed: it is none.
        """
        mark = self._links.mark()
        try:
            kind, place, name, packed = message["ask"], message.get("of"), message.get("name"), message.get("values")
            if type(kind) is not str or type(place) is not int or type(name) is not str or type(packed) is not list:
                raise PeerFailed("asked what is no question")
            with self._links.filling():
                self._take_changes(message)
                values = [self._values.unpack(each) for each in packed]
            self._links.settle()
            try:
                reply, value = "gave", self.reply(kind, place, name, values)
            except PeerFailed:
                raise
            except BaseException as error:
                if not self.tells(error):
                    raise
                reply, value = "raised", error
            self._send_answer(reply, value, keep=message.get("keep") is True)
        finally:
            self._links.release(mark)

    def _send_answer(self, reply: str, value: Any, *, keep: bool) -> None:
        mark = self._links.mark()
        try:
            self._send({}, [value], reply)
        except (Unportable, TooLarge) as error:
            self._links.release(mark)
            self._frames.send({"raised": self.regret(error)})
            self._links.settle()
            return
        if keep:
            self._links.keep(mark)

    def _send(self, message: Dict[str, Any], values: List[Any], reply: str = "") -> None:
        message.update(self.aside())
        message["changes"] = self._values.pack_changes()
        packed = [self._values.pack(value) for value in values]
        message[reply or "values"] = packed[0] if reply else packed
        self._frames.send(message)
        self._links.settle()

    def _take_changes(self, message: Dict[str, Any]) -> None:
        self.heed(message)
        for container in self._values.apply_changes(message.get("changes", [])):
            if self._links.is_ours(container):
                self.note_change(container)

    def refer(self, value: Any) -> List[Any]:
        """Pack what does not go by value."""
        raise NotImplementedError

    def resolve(self, packed: List[Any]) -> Any:
        """Unpack what `refer` of the other side has packed."""
        raise NotImplementedError

    def reply(self, kind: str, place: int, name: str, values: List[Any]) -> Any:
        """Return the answer to a question, or raise it."""
        raise NotImplementedError

    def tells(self, error: BaseException) -> bool:
        """Whether what was raised while a question was answered is an answer to it."""
        raise NotImplementedError

    def regret(self, error: Exception) -> Any:
        """Return, packed, what is raised on the other side instead of an answer that cannot be carried."""
        raise NotImplementedError

    def raisable(self, value: Any) -> BaseException:
        """Return the exception that an answer says was raised."""
        raise NotImplementedError

    def note_change(self, container: Any) -> None:
        """Note that the other side changed a container of ours."""

    def aside(self) -> Dict[str, Any]:
        """Return what every message of this side tells besides."""
        return {}

    def heed(self, message: Dict[str, Any]) -> None:
        """Take in what a message tells besides."""
