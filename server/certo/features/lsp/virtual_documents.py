"""Documents that are no files: a candidate's whole text, its diff and its report, under URIs of our own.

    certo:/<searchId>/<candidateId>/text/till.py      the file as it would be
    certo:/<searchId>/<candidateId>/diff/till.py.diff what would change in it
    certo:/<searchId>/<candidateId>/report/till.py.md the score card

The last part is for the reader, and tells the editor the language.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from lsprotocol import types

from certo.features.editor.documents import SCHEME
from certo.features.editor.session import EditorSession
from certo.presentation.card import card_of
from certo.presentation.card_formats import markdown
from certo.search.board import CandidateState
from certo.sessions.live import LiveSearch
from certo.vocabulary.errors import BadRequest


class Aspect(Enum):
    """Kind of document about a candidate; the value is its part of the URI."""

    TEXT = "text"
    DIFF = "diff"
    REPORT = "report"

    @property
    def suffix(self) -> str:
        """The suffix added to the name of the candidate's file."""
        return {Aspect.TEXT: "", Aspect.DIFF: ".diff", Aspect.REPORT: ".md"}[self]


@dataclass(frozen=True, slots=True)
class Shown:
    """Subject of a URI that certo serves."""

    live: LiveSearch
    row: CandidateState
    aspect: Aspect


def uri_of_candidate(live: LiveSearch, row: CandidateState, aspect: Aspect) -> str:
    """Return the URI of a document about a candidate."""
    name = quote(PurePosixPath(live.resolved.path).name + aspect.suffix)
    return f"{SCHEME}:/{live.id}/{row.candidate_id}/{aspect.value}/{name}"


def shown_at(desk: EditorSession, uri: str) -> Shown:
    """Return the subject of a URI that certo serves.

    Raises:
        BadRequest: It is no such URI.
        SearchNotFound: Its search is gone.
        CandidateNotFound: Its search has no such candidate.
    """
    path, _, _ = uri.partition(":")[2].partition("?")
    parts = unquote(path).strip("/").split("/")
    aspects = {aspect.value: aspect for aspect in Aspect}
    if not uri.startswith(f"{SCHEME}:") or len(parts) != 4 or parts[2] not in aspects:
        of = ", ".join(aspects)
        raise BadRequest(f"{uri} is no document of ours; they are {SCHEME}:/<search>/<candidate>/<{of}>/<name>")
    live = desk.searches.get(parts[0])
    return Shown(live, live.row(parts[1]), aspects[parts[2]])


async def text_document_content(
    desk: EditorSession, params: types.TextDocumentContentParams
) -> types.TextDocumentContentResult:
    """Return the text of a document that certo serves."""
    shown = shown_at(desk, params.uri)
    match shown.aspect:
        case Aspect.TEXT:
            text = shown.live.text_with(shown.row)
        case Aspect.DIFF:
            text = shown.row.diff
        case Aspect.REPORT:
            text = markdown(card_of(shown.live, shown.row)) + "\n"
    return types.TextDocumentContentResult(text=text)
