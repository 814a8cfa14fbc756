"""Remote procedure calls in both directions over one socket, with nested questions.

The tests call the candidate, and the candidate calls back functions of the tests, which may call the candidate again.
So the two processes share one call stack: a process that waits for an answer also answers questions, and the question
sent last is answered first. This order replaces message numbers: a message with "ask" is a question, and any other is
the answer to the latest open question of its receiver.

Guarantees: a question that was sent gets exactly one answer, or the connection is lost for good; between question and
answer only the process whose turn it is sends; each message carries the changes of linked containers (see
`containers`), so both have equal copies whenever the turn passes.

One reentrant lock guards the connection. Messages of two threads would mix up the order, so a thread holds the lock
from its question to the answer. It is reentrant because the thread asks again inside when it answers a nested question.
"""

from __future__ import annotations

import socket
import threading
from typing import Any, Dict, List, Optional, Sequence

from certo_worker.apart.containers import Links
from certo_worker.apart.frames import Frames, PeerFailed, TooLarge
from certo_worker.apart.values import Unportable, Values


class RpcConnection:
    """One side of the connection. `first` is the number of its first container: 0 on one side, 1 on the other."""

    def __init__(self, peer: socket.socket, first: int):
        self._frames = Frames(peer)
        self._links = Links(first)
        self._values = Values(self._links, self.refer, self.resolve)
        self._lock = threading.RLock()
        self.lost: Optional[str] = None
        """The reason why the connection is lost, or None."""

    def ask(self, kind: str, place: int = 0, name: str = "", values: Sequence[Any] = (), *, keep: bool = False) -> Any:
        """Ask one question, answer those that arrive meanwhile, and return the answer.

        With `keep`, containers in the answer stay linked for good, because they are attributes.

        Raises:
            BaseException: whatever the other process raised.
            PeerFailed: the other process ended or broke the protocol.
            Unportable: the question cannot be sent.
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
        """Send a question and return the message with its answer."""
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
            # The answer is still on its way and would be taken for the answer to the next question.
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
            PeerFailed: the message is not a valid question.
        """
        mark = self._links.mark()
        try:
            kind, place, name, packed = message["ask"], message.get("of"), message.get("name"), message.get("values")
            if type(kind) is not str or type(place) is not int or type(name) is not str or type(packed) is not list:
                raise PeerFailed("sent a request that is not allowed")
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
            self._frames.send(self._packed({}, [value], reply))
        except PeerFailed:
            raise
        except Exception as error:
            # It is too large, cannot be sent, or has keys whose own code failed while it was packed.
            self._links.release(mark)
            self._frames.send({"raised": self.regret(error)})
            self._links.settle()
            return
        self._links.settle()
        if keep:
            self._links.keep(mark)

    def _send(self, message: Dict[str, Any], values: List[Any]) -> None:
        self._frames.send(self._packed(message, values))
        self._links.settle()

    def _packed(self, message: Dict[str, Any], values: List[Any], reply: str = "") -> Dict[str, Any]:
        """Return a message with packed values, and what has changed since the last one."""
        message.update(self.aside())
        message["changes"] = self._values.pack_changes()
        packed = [self._values.pack(value) for value in values]
        message[reply or "values"] = packed[0] if reply else packed
        return message

    def _take_changes(self, message: Dict[str, Any]) -> None:
        self.heed(message)
        for container in self._values.apply_changes(message.get("changes", [])):
            if self._links.is_ours(container):
                self.note_change(container)

    def refer(self, value: Any) -> List[Any]:
        """Pack a value by reference."""
        raise NotImplementedError

    def resolve(self, packed: List[Any]) -> Any:
        """Unpack a reference that `refer` of the other side packed."""
        raise NotImplementedError

    def reply(self, kind: str, place: int, name: str, values: List[Any]) -> Any:
        """Return the answer to a question; an exception is an answer too, if `tells` accepts it."""
        raise NotImplementedError

    def tells(self, error: BaseException) -> bool:
        """True if an exception raised by `reply` is sent as the answer; any other propagates here."""
        raise NotImplementedError

    def regret(self, error: Exception) -> Any:
        """Return the packed exception to be raised on the other side when an answer cannot be sent."""
        raise NotImplementedError

    def raisable(self, value: Any) -> BaseException:
        """Return the exception to be raised here for an answer that reports one."""
        raise NotImplementedError

    def note_change(self, container: Any) -> None:
        """Handle a change by the other side to a container that this side sent."""

    def aside(self) -> Dict[str, Any]:
        """Return additional fields for each message of this side."""
        return {}

    def heed(self, message: Dict[str, Any]) -> None:
        """Handle the additional fields of a message."""
