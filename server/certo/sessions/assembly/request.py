"""A user's request, before it is stated as a problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Literal

from certo.edits.source import read_source
from certo.edits.target import Place, find_target
from certo.vocabulary.cost import NOTHING_SPENT, Spent
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.guidance import UNGUIDED, Guidance
from certo.vocabulary.problem import SecondFunction, Target
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request for verified code at one place of one document.

    `document` is an absolute path, `text` what it holds now, unsaved changes included; `unsaved` the texts of other
    open documents that differ from their files, by absolute path. `folders` are the workspace folders, none for a
    terminal. `client` and `flags` are settings from the editor and from the command line, as loading.py takes them.
    `background` lets every search that is not go first. `editor` says that an editor is attached, which is left a
    processor. `selected` is the stretch of the text that the user means above all. `guidance` is what there is to go by
    besides, after an earlier search. `test` is the node id of the test through which the place was found, if it was;
    that one is run in any case. `then` are the requests about other functions that may be to blame for it: where
    nothing is found, they are tried one after the other, on what is left of the budget; `spent_before` is what the
    searches for those before this one have spent of it. With a `second` function, by its document and place, candidates
    may change both. `is_untested` says that the project has no test file, so that
    none is looked for. The goal follows from the tests and the instruction, unless `goal` names it.
    With `preserve` the instruction is followed without a change of behaviour. With `tests_first` nothing is searched
    for if no test reaches the function, so that its user can be offered tests; a search made again does without.
    An `ambient` search was asked for by nobody: it asks no language model, and is shown only once it has found
    something.
    """

    document: Path
    text: str
    place: Place
    second: tuple[Path, Place] | None = None
    instruction: str = ""
    goal: Literal["", "faster"] = ""
    selected: Span | None = None
    guidance: Guidance = UNGUIDED
    unsaved: Mapping[Path, str] = field(default_factory=dict)
    folders: tuple[Path, ...] = ()
    client: Mapping[str, Any] | None = None
    flags: Mapping[str, Any] | None = None
    background: bool = False
    editor: bool = False
    test: str = ""
    then: tuple[Request, ...] = ()
    spent_before: Spent = NOTHING_SPENT
    is_untested: bool = False
    preserve: bool = False
    tests_first: bool = False
    ambient: bool = False


def unsaved_within(root: Path, request: Request) -> dict[str, str]:
    """Return the other documents' unsaved texts by path relative to the root; those outside it cannot matter."""
    return {
        document.relative_to(root).as_posix(): text
        for document, text in request.unsaved.items()
        if document.is_relative_to(root) and document != request.document
    }


def second_of(request: Request, root: Path) -> SecondFunction:
    """Return the second function of a request that has one.

    Raises:
        BadRequest: Its document cannot be read, or has no such function.
    """
    assert request.second is not None
    document, place = request.second
    if document == request.document:
        text = request.text
    else:
        text = request.unsaved[document] if document in request.unsaved else read_source(document)
    if not document.is_relative_to(root):
        raise BadRequest(f"{document} is outside the project {root}; start a new search")
    path = document.relative_to(root).as_posix()
    return SecondFunction(path=path, target=find_target(text, place, path=path))


def require_purpose(request: Request, target: Target) -> None:
    """Refuse to keep the behaviour of a function if nothing else is asked for, or there is none yet.

    Raises:
        BadRequest: there is no instruction, or the function is a stub.
    """
    if request.preserve and not request.instruction.strip():
        raise BadRequest("keeping behaviour goes with an instruction that says what to change; give one")
    if request.preserve and target.is_hole:
        raise BadRequest(f"{target.short_name} is not written yet, so it has no behaviour to keep; implement it first")
