"""Messages to and from another machine for one run: JSON texts both ways, of which the reply is not trusted."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from certo import __version__
from certo.sandbox.executor import Apart, Ending, Finished, Interpreter, Limits, Message, Policy, Program, Work
from certo.sandbox.options import Isolation, SandboxOptions
from certo.vocabulary.errors import BrokenWorld, NoInterpreter, SandboxUnavailable
from certo.vocabulary.records import dataclass

_MEBIBYTE = 1 << 20
_ROOM_FOR_THE_REST = 1 << 16
_MAX_WIDTH = 6
"""Maximum number of JSON characters per byte of output: a control character becomes `\\u0000`."""

_ERRORS: Mapping[str, type[BrokenWorld]] = {"interpreter": NoInterpreter, "sandbox": SandboxUnavailable}


class MalformedReply(Exception):
    """A reply that no worker of certo's sends; the message names the error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IsolationDemand:
    """The isolation that a sender demands of the machine that runs its work, besides that machine's own options."""

    isolation: Isolation
    allow_unsandboxed: bool

    @classmethod
    def of(cls, options: SandboxOptions) -> IsolationDemand:
        """Return the demand that these options make of any machine."""
        return cls(isolation=options.isolation, allow_unsandboxed=options.allow_unsandboxed)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """One run for another machine.

    `run` is its name; `project` and `program` are the digests of the parcels it needs. `warm` names the context whose
    runs start warm, and is empty for a run outside of any. `version` is that of the certo that wrote it.
    """

    run: str
    project: str
    program: str
    work: Work
    demand: IsolationDemand
    warm: str = ""
    version: str = __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReply:
    """The end of a run on `worker`, its messages, and how runs are confined there, by policy."""

    worker: str
    isolation: Mapping[Policy, str]
    finished: Finished
    messages: Sequence[Message] = field(default=())


def order_to_text(order: RunRequest) -> str:
    """Return the order as JSON text."""
    work = order.work
    return json.dumps(
        {
            "version": order.version,
            "run": order.run,
            "project": order.project,
            "program": order.program,
            "warm": order.warm,
            "demand": asdict(order.demand),
            "root": str(work.root),
            "module": work.program.module,
            "request": dict(work.request),
            "interpreter": _interpreter_in_json(work),
            "overlay": dict(work.overlay),
            "protected": list(work.protected),
            "unprotected": list(work.unprotected),
            "shown": list(work.shown),
            "hidden": list(work.hidden),
            "limits": asdict(work.limits),
            "background": work.background,
            "policy": work.policy.value,
            "hash_seed": work.hash_seed,
            "preparation": None if work.preparation is None else dict(work.preparation),
            "apart": None if work.apart is None else asdict(work.apart),
        }
    )


def _interpreter_in_json(work: Work) -> dict[str, Any]:
    """Return the interpreter; an environment within the root is not shipped with it, and has to be shown by itself."""
    interpreter = work.interpreter
    readable = list(map(str, interpreter.readable))
    environment = interpreter.environment
    if environment is not None and environment.is_relative_to(work.root):
        readable.append(str(environment))
    return {
        "executable": str(interpreter.executable),
        "version": list(interpreter.version),
        "readable": readable,
        "why": interpreter.why,
        "pytest": interpreter.pytest,
    }


def order_from_text(text: str, *, project: Path, program: Path, interpreter: Interpreter | None) -> RunRequest:
    """Read an order on the machine that is to run it, where the parcels are unpacked at `project` and `program`.

    Paths below the sender's root become paths below `project`, wherever a text of the request is such a path.
    `interpreter` is what runs projects here; None stands for the one the sender names.
    """
    read = json.loads(text)
    root = read["root"]
    apart = read["apart"]
    major, minor, micro = read["interpreter"]["version"]
    sent = Interpreter(
        executable=Path(read["interpreter"]["executable"]),
        version=(major, minor, micro),
        readable=tuple(map(Path, read["interpreter"]["readable"])),
        why=read["interpreter"]["why"],
        pytest=read["interpreter"]["pytest"],
    )
    work = Work(
        program=Program(home=program, module=read["module"]),
        request=moved(read["request"], root, str(project)),
        interpreter=interpreter or sent,
        root=project,
        overlay=read["overlay"],
        protected=tuple(read["protected"]),
        unprotected=tuple(read["unprotected"]),
        shown=tuple(read["shown"]),
        hidden=tuple(read["hidden"]),
        limits=Limits(**read["limits"]),
        background=read["background"],
        policy=Policy(read["policy"]),
        hash_seed=read["hash_seed"],
        preparation=moved(read["preparation"], root, str(project)),
        apart=None if apart is None else Apart(files=tuple(apart["files"]), hidden=tuple(apart["hidden"])),
    )
    return RunRequest(
        run=read["run"],
        project=read["project"],
        program=read["program"],
        work=work,
        demand=IsolationDemand(**read["demand"]),
        warm=read["warm"],
        version=read["version"],
    )


def moved(value: Any, old: str, new: str) -> Any:
    """Return the value with every text that is the path `old` or one below it moved to `new`."""
    match value:
        case str() if value == old or value.startswith(old.rstrip(os.sep) + os.sep):
            return new + value[len(old.rstrip(os.sep)) :]
        case dict():
            return {moved(key, old, new): moved(inner, old, new) for key, inner in value.items()}
        case list():
            return [moved(inner, old, new) for inner in value]
        case _:
            return value


def answer_to_text(answer: RunReply, *, here: Path, root: str) -> str:
    """Return the answer as JSON text, with paths of the project `here` replaced by those of the sender's `root`."""
    finished = answer.finished
    text = json.dumps(
        {
            "worker": answer.worker,
            "isolation": {policy.value: words for policy, words in answer.isolation.items()},
            "finished": {**asdict(finished), "ending": finished.ending.name},
            "messages": list(answer.messages),
        }
    )
    # No other text contains this path: its last directory but one is named after a digest.
    return text.replace(json.dumps(str(here))[1:-1], json.dumps(root)[1:-1])


def refusal_to_text(error: BrokenWorld, worker: str) -> str:
    """Return the answer of a machine that cannot run anything that way, as JSON text."""
    kind = "interpreter" if isinstance(error, NoInterpreter) else "sandbox"
    return json.dumps({"worker": worker, "kind": kind, "words": str(error)})


def answer_from_text(text: object, limits: Limits) -> RunReply:
    """Return the validated reply: exactly the expected shape, and no more output than the run was allowed.

    Raises:
        MalformedReply: It is anything else.
        NoInterpreter: That machine said so.
        SandboxUnavailable: That machine said so.
    """
    match _decoded(text, limits.output_mebibytes * _MEBIBYTE * _MAX_WIDTH + _ROOM_FOR_THE_REST):
        case {
            "worker": str(worker),
            "isolation": dict(isolation),
            "finished": dict(finished),
            "messages": list(messages),
            **rest,
        } if not rest and all(isinstance(message, dict) for message in messages):
            return RunReply(
                worker=worker[:200],
                isolation=_isolation(isolation),
                finished=_finished(finished),
                messages=messages,
            )
        case _:
            raise MalformedReply("it has another shape")


def isolation_from_text(text: object) -> Mapping[Policy, str]:
    """Return the confinement on a machine, by policy; raises the errors of `answer_from_text`."""
    return _isolation(_decoded(text, _ROOM_FOR_THE_REST))


def _decoded(text: object, most: int) -> object:
    """Return the JSON value of a text of at most `most` characters; a refusal in it is raised."""
    if not isinstance(text, str):
        raise MalformedReply(f"it is no text but {type(text).__name__}")
    if len(text) > most:
        raise MalformedReply(f"it has {len(text)} characters, and {most} would be plenty")
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedReply(f"it is no JSON: {error}") from error
    match read:
        case {"worker": str(worker), "kind": str(kind), "words": str(words), **rest} if kind in _ERRORS and not rest:
            raise _ERRORS[kind](f"{words[:2000]} (on the worker {worker[:200]})")
        case _:
            return read


def _isolation(read: object) -> Mapping[Policy, str]:
    names = {policy.value for policy in Policy}
    if not isinstance(read, dict) or not all(name in names and isinstance(says, str) for name, says in read.items()):
        raise MalformedReply("it does not say how runs are confined")
    return {Policy(name): says[:500] for name, says in read.items()}


def _finished(read: Mapping[str, Any]) -> Finished:
    match read:
        case {
            "ending": str(ending),
            "status": int(status),
            "complete": bool(complete),
            "seconds": float(seconds),
            "cpu_seconds": float() | 0 as cpu_seconds,
            "printed": str(printed),
            "cold": str(cold),
            "waited": float() | 0 as waited,
            **rest,
        } if not rest and ending in Ending.__members__ and (not complete or (ending, status) == ("EXITED", 0)):
            return Finished(
                ending=Ending[ending],
                status=status,
                complete=complete,
                seconds=seconds,
                cpu_seconds=float(cpu_seconds),
                printed=printed,
                cold=cold,
                waited=float(waited),
            )
        case _:
            raise MalformedReply("it does not say how the run ended")
