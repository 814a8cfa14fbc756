"""Documents that are no files: a candidate's whole text, its diff and its report, under URIs of our own.

    certo:/<searchId>/<candidateId>/text/till.py      the file as it would be
    certo:/<searchId>/<candidateId>/diff/till.py.diff what would change in it
    certo:/<searchId>/<candidateId>/report/till.py.md the score card

The last part is for the reader, and tells the editor the language. The call on which a function differs from the last
commit is a script, while that text is open:

    certo:/difference/<URI of the document>/<qualified name>/difference.py
"""

from __future__ import annotations

from enum import Enum
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from lsprotocol import types

from certo.edits.target import ByName, find_target
from certo.features.editor.documents import SCHEME, Document
from certo.features.editor.session import EditorSession
from certo.presentation.behaviour import call_script
from certo.presentation.card import card_of
from certo.presentation.card_formats import markdown
from certo.search.board import CandidateState
from certo.sessions.live import LiveSearch
from certo.vocabulary.errors import BadRequest
from certo.vocabulary.problem import Target
from certo.vocabulary.records import dataclass

_DIFFERENCE = "difference"


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


def uri_of_call(document: Document, target: Target) -> str:
    """Return the URI of the script with the call on which a function differs from the last commit."""
    place = f"{quote(document.uri, safe='')}/{quote(target.qualname, safe='')}"
    return f"{SCHEME}:/{_DIFFERENCE}/{place}/difference.py"


def _script_at(desk: EditorSession, uri: str) -> str | None:
    """Return the script that a URI is about; None if it is about something else.

    Raises:
        BadRequest: Nothing is known of this function any more.
    """
    kind, *rest = uri.partition(":")[2].strip("/").split("/")
    if kind != _DIFFERENCE or len(rest) != 3:
        return None
    document = desk.documents.get(unquote(rest[0]))
    if document is not None and document.path is not None and document.flaw is None:
        target = find_target(document.whole, ByName(unquote(rest[1])), path=document.name)
        found = desk.comparisons.result_of(document.path, document.whole, target)
        if found is not None and (script := call_script(found)):
            return script
    raise BadRequest("the function was edited since it was compared; compare it again")


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
    script = _script_at(desk, params.uri)
    if script is not None:
        return types.TextDocumentContentResult(text=script)
    shown = shown_at(desk, params.uri)
    match shown.aspect:
        case Aspect.TEXT:
            text = shown.live.text_with(shown.row)
        case Aspect.DIFF:
            text = shown.row.diff
        case Aspect.REPORT:
            text = markdown(card_of(shown.live, shown.row), unfolded=True) + "\n"
    return types.TextDocumentContentResult(text=text)
