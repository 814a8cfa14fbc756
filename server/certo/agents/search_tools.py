"""Tools that search for a change, explain a search, and apply what it found."""

from __future__ import annotations

from collections.abc import Iterator

from certo.agents.answers import AppliedAnswer, Explanation, FoundCandidate, SearchAnswer, TriedCandidate
from certo.agents.arguments import ApplyArguments, ExplainArguments, GenerateArguments, RepairArguments
from certo.agents.toolkit import Answer, digest_line, evidence_lines
from certo.agents.workspace import Workspace
from certo.api.generated import Tried
from certo.api.project_search import FoundChange, ProjectSearch
from certo.protocol.values import Report, Spent, Standing
from certo.vocabulary.display import amount, one_line
from certo.vocabulary.errors import AttemptsFailed, BadRequest
from certo.vocabulary.events import SearchPreparing, SearchStarted, SearchStopped, VerdictReached
from certo.vocabulary.progress import Say

_MAX_FOUND = 10
_MAX_FAILURES = 10
"""Maximum numbers of candidates in an answer, which a model has to read."""

_MAX_ERROR = 500


async def repair(workspace: Workspace, asked: RepairArguments, say: Say) -> Answer:
    """Search for a repair of a function, or of the function to blame for a failing test."""
    return await _search(workspace, asked, say, goal="", preserve=False)


async def generate(workspace: Workspace, asked: GenerateArguments, say: Say) -> Answer:
    """Search for a body, a change or a faster version of a function."""
    return await _search(workspace, asked, say, goal="faster" if asked.faster else "", preserve=asked.preserve)


async def explain(workspace: Workspace, asked: ExplainArguments, _: Say) -> Answer:
    """Return a search or a candidate in words."""
    text = await workspace.search(asked.search_id).explain(asked.candidate_id or None)
    value = Explanation(search_id=asked.search_id, candidate_id=asked.candidate_id, text=text)
    return Answer(value=value, lines=tuple(text.split("\n")))


async def apply(workspace: Workspace, asked: ApplyArguments, say: Say) -> Answer:
    """Write a candidate of an earlier search to the files."""
    search = workspace.search(asked.search_id)
    say("verifying the candidate on the text as it is now")
    path = await search.apply(asked.candidate_id or None)
    return Answer(
        value=AppliedAnswer(search_id=asked.search_id, path=str(path)), lines=(f"the change was written to {path}",)
    )


async def _search(
    workspace: Workspace, asked: RepairArguments | GenerateArguments, say: Say, *, goal: str, preserve: bool
) -> Answer:
    project = await workspace.project(asked.root)
    settings = {} if asked.seconds is None else {"search.seconds": asked.seconds}
    begun = project.search(
        asked.target,
        goal=goal,
        preserve=preserve,
        instruction=asked.instruction,
        examples=asked.examples,
        settings=settings,
    )
    async with begun as search:
        workspace.keep_search(search)
        stopped = await _followed(search, say)
        try:
            result = await search.result()
            passed, tried = result.passed, result.tried
        except AttemptsFailed as failed:
            passed, tried = (), tuple(each for each in failed.attempts if isinstance(each, Tried))
        answer = _answer(search, stopped, passed, tried)
        if asked.apply:
            answer = await _applied(search, answer)
    for each in passed[:_MAX_FOUND]:
        workspace.keep_diff(search.id, each.candidate_id, each.diff)
    return Answer(value=answer, lines=tuple(_lines(answer, passed)))


async def _followed(search: ProjectSearch, say: Say) -> SearchStopped:
    """Tell each step of a search, and return how it ended."""
    judged: set[str] = set()
    stopped = None
    async for event in search:
        if isinstance(event, SearchPreparing):
            say(event.message)
        elif isinstance(event, SearchStarted):
            say("searching")
        elif isinstance(event, VerdictReached) and event.candidate_id not in judged:
            judged.add(event.candidate_id)
            say(f"judging candidate {len(judged)}")
        elif isinstance(event, SearchStopped):
            stopped = event
    if stopped is None:
        raise RuntimeError("a search ended without saying how it stopped")
    return stopped


def _answer(
    search: ProjectSearch, stopped: SearchStopped, passed: tuple[FoundChange, ...], tried: tuple[Tried, ...]
) -> SearchAnswer:
    return SearchAnswer(
        search_id=search.id,
        path=search.path,
        qualname=search.qualname,
        outcome=stopped.outcome,  # type: ignore[arg-type]  # the wire's word is made of it
        verified=bool(passed) and passed[0].verified,
        reason=stopped.reason,
        candidates=tuple(
            FoundCandidate(
                candidate_id=each.candidate_id,
                verified=each.verified,
                diff=each.diff,
                evidence=Report.model_validate(each.report),
                standing=Standing.model_validate(each.standing),
                digest=each.digest,
            )
            for each in passed[:_MAX_FOUND]
        ),
        failures=tuple(
            TriedCandidate(candidate_id=each.candidate_id, error=one_line(each.error)[:_MAX_ERROR])
            for each in tried
            if each.error
        )[:_MAX_FAILURES],
        tried=len(tried),
        spent=Spent.model_validate(stopped.spent),
    )


async def _applied(search: ProjectSearch, answer: SearchAnswer) -> SearchAnswer:
    """Write the best candidate to the files if it is verified; otherwise say why nothing was written."""
    if not answer.verified:
        why = "nothing was applied, for no candidate is verified"
        return answer.model_copy(update={"reason": f"{answer.reason}; {why}" if answer.reason else why})
    best = answer.candidates[0].candidate_id
    try:
        await search.apply(best)
    except BadRequest as error:
        return answer.model_copy(update={"reason": str(error)})
    return answer.model_copy(update={"applied": best})


def _lines(answer: SearchAnswer, passed: tuple[FoundChange, ...]) -> Iterator[str]:
    head = passed[0].report.headline if passed else answer.outcome.upper()
    yield f"{head}  {answer.qualname} in {answer.path}  (search {answer.search_id})"
    if answer.reason:
        yield one_line(answer.reason)
    for each in passed[:1]:
        yield each.diff
        yield from evidence_lines(each.report)
        yield from digest_line(each.digest)
    if len(passed) > 1:
        others = ", ".join(each.candidate_id for each in passed[1:_MAX_FOUND])
        yield f"{amount(len(passed) - 1, 'other candidate')} passed: {others}"
    for failure in answer.failures[: 3 if passed else _MAX_FAILURES]:
        yield f"- {failure.candidate_id}: {failure.error}"
    if answer.applied:
        yield f"applied candidate {answer.applied} to {answer.path}"
    elif passed:
        yield "no file was changed"
