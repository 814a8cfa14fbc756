"""Requests as the journal stores them, and back again."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from certo.edits.source import read_source
from certo.edits.target import ByName, Place
from certo.sessions.assembly.problem_statement import ResolvedRequest
from certo.sessions.assembly.request import Request
from certo.sessions.live import LiveSearch
from certo.sessions.persistence.knowledge import learn_accepted
from certo.settings.schema import chosen
from certo.storage.journals import Journals
from certo.storage.search_record import Other, SearchRecord
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.text import Span

log = logging.getLogger(__name__)


def asked_of(resolved: ResolvedRequest) -> SearchRecord:
    """Return the record from which a request can be made again; settings of the editor are asked for anew."""
    request, selected, second = resolved.request, resolved.request.selected, resolved.target.second
    return SearchRecord(
        document=str(request.document),
        path=resolved.path,
        text=request.text,
        qualname=resolved.target.qualname,
        number=resolved.target.number,
        instruction=request.instruction,
        goal=request.goal,
        guidance=request.guidance,
        flags=dict(request.flags or {}),
        folders=tuple(map(str, request.folders)),
        background=request.background,
        editor=request.editor,
        test=request.test,
        selected=None if selected is None else (selected.start, selected.end),
        settings=chosen(resolved.settings),
        then=tuple(_other(resolved, each) for each in request.then),
        spent_before=request.spent_before,
        preserve=request.preserve,
        ambient=request.ambient,
        second=None
        if second is None
        else Other(path=second.path, qualname=second.target.qualname, number=second.target.number),
    )


async def accepted(live: LiveSearch, folder: Path) -> None:
    """Keep that the best candidate of a search is in its file now, when its searches have let go of the journal."""
    journals = Journals(folder, log.warning)
    live.journal = journals.of(live.resolved.root, live.resolved.settings.journal)
    if live.journal is not None:
        live.journal.stand(live.id, "accepted")
        learn_accepted(live, live.state.best)
        await journals.commit()
    journals.close()


def asked_again(
    asked: SearchRecord, root: Path, folders: tuple[Path, ...], client: Mapping[str, Any] | None
) -> Request:
    """Return the stored request, about the text it was about; `root` and `folders` are as this client spells them.

    The other suspects of its test are searched in the text that they have by now.
    """
    request = Request(
        document=root / asked.path,
        text=asked.text,
        place=ByName(asked.qualname, asked.number),
        instruction=asked.instruction,
        goal="faster" if asked.goal == "faster" else "",
        guidance=asked.guidance,
        folders=folders,
        client=client,
        flags=asked.flags,
        background=asked.background,
        editor=asked.editor,
        test=asked.test,
        selected=None if asked.selected is None else Span(*asked.selected),
        spent_before=asked.spent_before,
        preserve=asked.preserve,
    )
    second = None if asked.second is None else _place(asked.second, root)
    return replace(request, second=second, then=tuple(_others(request, asked.then, root)))


def _other(resolved: ResolvedRequest, request: Request) -> Other:
    """Return the record of the request about another suspect."""
    second = None if request.second is None else _named(resolved, *request.second)
    return replace(_named(resolved, request.document, request.place), second=second)


def _named(resolved: ResolvedRequest, document: Path, place: Place) -> Other:
    assert isinstance(place, ByName)  # as suspects are pointed at
    path = Path(os.path.relpath(document, resolved.root)).as_posix()
    return Other(path=path, qualname=place.qualname, number=place.number)


def _place(other: Other, root: Path) -> tuple[Path, ByName]:
    return root / other.path, ByName(other.qualname, other.number)


def _others(request: Request, others: Sequence[Other], root: Path) -> Iterator[Request]:
    """Yield the requests about other suspects, but for those whose file is gone."""
    for other in others:
        document, place = _place(other, root)
        second = None if other.second is None else _place(other.second, root)
        try:
            text = read_source(document)
            yield replace(request, document=document, text=text, place=place, second=second, selected=None)
        except BadRequest as error:
            log.info("a suspect is left out: %s", error)
