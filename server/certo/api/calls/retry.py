"""A call run again until a condition holds, from the answer that promises most, with what was wrong with it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import anyio

from certo.api.adapters import awaited
from certo.api.calls.call import AICall
from certo.api.calls.samples import Sample, SampleNode, spent_on
from certo.api.calls.turns import Turns, gone_on
from certo.concurrency import side_by_side
from certo.generation.prompt_templates import PromptTemplate, feedback_template
from certo.llm.prompt import Message
from certo.search.node_selection import select_best
from certo.search.tree import SEPARATOR, before
from certo.vocabulary.errors import AttemptsFailed, BadRequest, CertoError
from certo.vocabulary.records import dataclass


def add_feedback(node: SampleNode[Sample], text: str) -> None:
    """Add feedback to an answer; the same text is not added twice."""
    said = text.strip()
    if said and said not in node.feedback.split("\n\n"):
        node.feedback = "\n\n".join(filter(None, (node.feedback, said)))


def collected(node: SampleNode[Sample]) -> str:
    """Return the feedback on an answer and on those before it to the same question, the oldest first."""
    same = (each for each in node.path if each.data.question == node.data.question)
    return SEPARATOR.join(each.feedback for each in same if each.feedback.strip())


def next_turns(
    node: SampleNode[Sample], *, inplace: bool, template: str | PromptTemplate
) -> tuple[Turns, Turns | None]:
    """Return the conversation that goes on from an answer, and its question if feedback was put into that in place.

    Appended, the feedback of this answer alone is the next turn. In place, that of this answer and of those before it
    is put to the end of the question, and the answers are left out. Without any feedback the question is asked again.
    What is stored with the answer is not changed.

    Raises:
        BadRequest: feedback is to be put into a question where the user has said nothing.
        BadSetting: there is no such template, or it has no place for feedback.
    """
    question = node.data.question
    said = collected(node) if inplace else node.feedback
    if not said.strip():
        return question, None
    text = feedback_template(template).text(0, feedback=said)
    if not inplace:
        return gone_on(node.data.conversation, Message(role="user", text=text)), None
    last = next((number for number in reversed(range(len(question))) if question[number].role == "user"), None)
    if last is None:
        raise BadRequest("there is no user's turn to put feedback into; begin the call with one")
    asked = replace(question[last], text=f"{question[last].text}\n\n{text}")
    return (*question[:last], asked, *question[last + 1 :]), question


log = logging.getLogger(__name__)

Condition = Callable[[AICall], bool | Awaitable[bool]]
"""Whether an answer will do; it sees the call as it stands at that answer, and may be a coroutine function."""

Feedback = str | Callable[[AICall], str | Awaitable[str]]
"""What is said of an answer that will not do, or what says it when it sees the call as it stands at that answer."""

Score = Callable[[AICall], float | Awaitable[float]]
"""How good an answer is that will do, higher is better."""


class Evaluated(NamedTuple):
    """The result of a condition, and the answer to stand at or to go on from; true only if the condition held."""

    passed: bool
    node: SampleNode[Sample]

    def __bool__(self) -> bool:
        return self.passed


@dataclass(frozen=True, slots=True)
class _Judged:
    """The result of a condition on one answer, with the words of its exception if it raised one."""

    node: SampleNode[Sample]
    passed: bool
    error: str = ""


async def airetry(
    condition: Condition,
    call: AICall,
    feedback: Feedback = "",
    *,
    throw: bool = False,
    evaluate_all: bool = True,
    feedback_expensive: bool = False,
    max_retries: int | None = None,
    retry_delay: float | None = None,
    score: Score | None = None,
) -> AICall:
    """Run a call again until a condition holds for one of its answers, which it then stands at; after AgentTools.

    Each round judges the answers to the last question that are new, chooses the one to go on from by the config's
    scoring, and has the call run from there with what was said of that answer. A further condition, in another airetry,
    judges the answers for which the ones before held; those it has the call give are not held against these again.

    There are at most `max_retries` runs for this condition, and the call gives at most `config.max_calls` answers in
    all; then the call stands at the most promising answer with `success` False, or with `throw` that is an error.
    Without `evaluate_all`, of each round only the active answer is judged. With `feedback_expensive`, `feedback` is
    asked about the answer that is gone on from, and not about each that failed. Of several answers for which the
    condition holds, the one with the best `score` is taken, or the best share of wins where there is no score; then
    the cheapest, then the first. An exception in the condition is a failure, and its words are feedback.

    Raises:
        BadRequest: the call has not been run yet.
        AttemptsFailed: the condition holds for no answer, and `throw` says to raise; it has every answer.
        ModelFailed, BudgetExhausted: a run gave no answer, unless the config catches errors.
    """
    if call.success is None:
        raise BadRequest(f"{type(call).__name__} has not been run yet; run it before it is tried again")
    config = call.config
    most = config.max_retries if max_retries is None else max_retries
    delay = config.retry_delay if retry_delay is None else retry_delay
    known: set[int] = set()
    said: set[int] = set()
    retried = 0
    while True:
        cheap = "" if feedback_expensive else feedback
        passed, node = await _evaluated(condition, call, cheap, evaluate_all=evaluate_all, score=score, known=known)
        _settle(call, node, passed=passed)
        if passed:
            return call
        if retried >= most or config.calls_left < 1:
            return _given_up(call, retried, most, throw=throw)
        if node is not call.beginning:
            if feedback_expensive and node.id not in said:
                said.add(node.id)
                add_feedback(node, await _said(feedback, call.at(node)))
            turns, question = next_turns(node, inplace=config.feedback_inplace, template=config.feedback_template)
            call.put(turns, question=question)
        await anyio.sleep(delay)
        retried += 1
        config.retries += 1
        await call.run()


async def evaluate_condition(
    condition: Condition,
    call: AICall,
    feedback: Feedback = "",
    *,
    evaluate_all: bool = True,
    feedback_expensive: bool = False,
    score: Score | None = None,
) -> Evaluated:
    """Judge the answers of a call by a condition, and name one: the best that passed, or the most promising.

    Judged are the active answer and, with `evaluate_all`, every other to the last question that has not failed before,
    all at once. What
    comes of each counts for it and for those it grew from. The call itself stays where it stands. With
    `feedback_expensive`, `feedback` is asked only about the answer that is named, if that failed. As in `airetry`.
    """
    cheap = "" if feedback_expensive else feedback
    passed, node = await _evaluated(condition, call, cheap, evaluate_all=evaluate_all, score=score, known=set())
    if not passed and feedback_expensive and node is not call.beginning:
        add_feedback(node, await _said(feedback, call.at(node)))
    return Evaluated(passed, node)


async def _evaluated(
    condition: Condition,
    call: AICall,
    feedback: Feedback,
    *,
    evaluate_all: bool,
    score: Score | None,
    known: set[int],
) -> Evaluated:
    """Judge what is not `known` yet; whether any passed, and the answer to stand at or to go on from."""
    active, beginning = call.active_sample, call.beginning
    wanted = [
        node
        for node in before(beginning)
        if node is not beginning
        and node.id not in known
        and ((evaluate_all and node.success) or (node is active and not node.data.misfit))
    ]
    known.update(node.id for node in wanted)
    judged = await _all_at_once(condition, call, wanted)
    for each in judged:
        each.node.success = each.passed
        each.node.backpropagate(int(each.passed))
        if not each.passed:
            add_feedback(each.node, each.error)
            add_feedback(each.node, await _said(feedback, call.at(each.node)))
    passed = [each.node for each in judged if each.passed]
    if passed:
        return Evaluated(passed=True, node=await _best(passed, call, score))
    return Evaluated(passed=False, node=select_best(beginning, call.config.scoring, ordering=call.config.ordering))


async def _all_at_once(condition: Condition, call: AICall, nodes: Sequence[SampleNode[Sample]]) -> list[_Judged]:
    """Judge some answers; the results come in the order of the answers."""
    judged: dict[int, _Judged] = {}
    stopped: list[CertoError] = []

    async def judge(node: SampleNode[Sample]) -> None:
        try:
            judged[node.id] = _Judged(node, bool(await awaited(condition(call.at(node)))))
        except CertoError as error:
            # The world is bad and not the answer; kept out of the group, which would hand it on wrapped.
            stopped.append(error)
            group.cancel_scope.cancel()
        except Exception as error:  # noqa: BLE001 - the caller's own condition; what it raised is said of the answer
            judged[node.id] = _Judged(node, passed=False, error=f"{type(error).__name__}: {error}".rstrip(": "))

    async with side_by_side() as group:
        for node in nodes:
            group.start_soon(judge, node)
    if stopped:
        raise stopped[0]
    return [judged[node.id] for node in nodes]


async def _said(feedback: Feedback, call: AICall) -> str:
    return feedback if isinstance(feedback, str) else str(await awaited(feedback(call)))


async def _best(passed: Sequence[SampleNode[Sample]], call: AICall, score: Score | None) -> SampleNode[Sample]:
    """Return the best of the answers that passed."""
    if len(passed) == 1:
        return passed[0]
    ranks: dict[int, tuple[float, float, int, int]] = {}
    for node in passed:
        value = node.wins / node.visits if score is None else float(await awaited(score(call.at(node))))
        tokens, dollars = spent_on([node.data.reply] if node.data.reply is not None else [])
        ranks[node.id] = (-value, dollars or 0.0, tokens, node.id)
    return min(passed, key=lambda node: ranks[node.id])


def _settle(call: AICall, node: SampleNode[Sample], *, passed: bool) -> None:
    """Have the call stand at an answer that passed or failed."""
    call.take_up(node)
    call.success = passed


def _given_up(call: AICall, retried: int, most: int, *, throw: bool) -> AICall:
    config = call.config
    why = f"{retried} of max_retries = {most} were made, and {config.calls} of max_calls = {config.max_calls} answers"
    sentence = f"no answer of {type(call).__name__} meets the condition: {why} given"
    if throw:
        replies: tuple[Any, ...] = tuple(node.data.reply for node in call.samples if node.data.reply is not None)
        raise AttemptsFailed(sentence, attempts=replies, spent=call.tokens)
    log.info("%s", sentence)
    return call
