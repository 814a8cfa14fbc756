"""Prompts about one problem: the first message, and feedback on failures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from certo.edits.positions import split_lines
from certo.generation.generator import Ask, Attempt
from certo.generation.model.code_blocks import fenced
from certo.generation.model.conversation import OMISSION, characters_for, left_out, shortened, truncated
from certo.generation.model.file_answers import answered
from certo.generation.model.options import GenerationOptions
from certo.generation.model.project_excerpts import file_around, selected, sources_of, target_code, tests_shown
from certo.generation.model.templates import Templates
from certo.llm.prompt import Message
from certo.vocabulary.candidate import Candidate
from certo.vocabulary.problem import Goal, KnownTest, Problem
from certo.vocabulary.records import dataclass
from certo.vocabulary.verdict import Finding, Report

FINDING_CHARACTERS = 1500
"""Maximum length of one finding in a prompt."""

MAX_OTHERS = 60
"""Maximum number of changeable files named; a model may know others from the code shown."""

SEPARATOR = "\n----------\n"
"""Separator between the feedback on several tries in one message."""

PRESERVE = (
    "Keep what the function does: for all arguments the same results, exceptions, output and changes of its arguments."
)
"""What a model is told if a rewrite has to keep behaviour."""

_KIND = {Goal.IMPLEMENT: "implement", Goal.REPAIR: "repair", Goal.REWRITE: "rewrite", Goal.FASTER: "faster"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptBuilder:
    """Builder of prompts for one problem; deterministic for problem, options and earlier tries."""

    problem: Problem
    templates: Templates
    options: GenerationOptions
    python: str

    def conversation(self, opening: Sequence[Message], ask: Ask) -> tuple[Message, ...]:
        """Return the messages that request this candidate: the opening, each earlier answer, and its feedback.

        Answers of earlier searches that the user commented on come first. The idea to try, and errors of other lanes,
        come last.
        """
        said = self._in_place(ask) if ask.in_place else self._in_turns(ask)
        return (*opening, *self._remarks(), *said, *self._to_follow(ask))

    def _in_turns(self, ask: Ask) -> Iterator[Message]:
        """Yield each answer of a lane and its feedback, as turns."""
        for number, attempt in enumerate(ask.past):
            repeated = number > 0 and ask.past[number - 1].candidate.id == attempt.candidate.id
            if not repeated:
                yield Message(role="assistant", text=answer_of(attempt.candidate, self.problem))
            is_last = number == len(ask.past) - 1
            said = ask.said if is_last and ask.said else self.feedback(attempt, repeated=repeated)
            yield Message(role="user", text=said)

    def _in_place(self, ask: Ask) -> Iterator[Message]:
        """Yield the feedback on all answers of a lane in one message, without repetitions and answers."""
        said = [self.objections(attempt) for attempt in ask.past]
        if ask.said:
            said[-1:] = [ask.said]
        feedback = SEPARATOR.join(dict.fromkeys(filter(None, said)))
        if feedback:
            yield Message(role="user", text=self.templates.fill("in-place", feedback=feedback))

    def _to_follow(self, ask: Ask) -> Iterator[Message]:
        """Yield the idea to try and the errors to avoid; nothing if there is neither."""
        errors = as_text("\n".join(map(_point, ask.errors)))
        if said := self.templates.fill("follow", idea=as_text(ask.idea), errors=errors):
            yield Message(role="user", text=said)

    def opening(self, *, related: str = "", memory: str = "", hint: str = "") -> tuple[Message, Message]:
        """Return the system's message and the first of the user."""
        problem, target, tokens = self.problem, self.problem.target, self.options.context_tokens
        about = {"python": self.python, "name": target.name, "path": problem.path}
        if problem.others is None:
            system = self.templates.fill("system", **about)
        else:
            system = self.templates.fill("system-files", **about, others=self._others(problem.others))
        asked = self.templates.fill(
            _KIND[problem.goal],
            name=target.short_name,
            path=problem.path,
            instruction="\n\n".join(filter(None, _instruction(problem))),
            code=target_code(problem),
            file=file_around(problem, tokens),
            tests=tests_shown(problem, self._tests(), tokens),
            related=related,
            memory=fenced(memory, "text") if memory else "",
            hint=hint,
        )
        return Message(role="system", text=system), Message(role="user", text=asked)

    def feedback(self, attempt: Attempt, *, repeated: bool = False) -> str:
        """Return the feedback on an answer that failed: the objecting verifiers, their findings, the tests named."""
        objecting = attempt.report.objecting
        findings = [finding for verdict in objecting for finding in verdict.findings]
        lines = self._findings(attempt.candidate, attempt.report)
        if attempt.remark:
            lines.append(_point(attempt.remark))
        names = " and ".join(f"`{verdict.verifier}`" for verdict in objecting)
        values = {
            "verifier": f"the check {names}" if len(objecting) == 1 else f"the checks {names}",
            "findings": "\n".join(lines) or "- it said no more",
            "name": self.problem.target.name,
        }
        if repeated:
            return self.templates.fill("repeated", **values)
        return self.templates.fill("failed", **values, tests="\n\n".join(self._tests_of(findings)))

    def _remarks(self) -> Iterator[Message]:
        """Yield the candidates that the user commented on, each as an answer with the comment."""
        for remark in self.problem.guidance.remarks:
            yield Message(role="assistant", text=answer_of(remark.candidate, self.problem))
            said = self.templates.fill(
                "feedback",
                feedback=remark.feedback,
                findings="\n".join(self._findings(remark.candidate, remark.report)),
                name=self.problem.target.name,
            )
            yield Message(role="user", text=said)

    def objections(self, attempt: Attempt) -> str:
        """Return the verifiers' objections, a line each, in words that do not refer to the answer."""
        objecting = attempt.report.objecting
        return "\n".join(_point(finding.message) for verdict in objecting for finding in verdict.findings)

    def no_code(self, problem: str) -> str:
        """Return the message about an answer without usable code; `problem` is the reason."""
        return self.templates.fill("no-code", problem=problem, name=self.problem.target.name)

    def cut(self) -> str:
        """Return the message about an answer that was cut off before the function was complete."""
        return self.templates.fill("cut", name=self.problem.target.name)

    def fit(self, messages: Sequence[Message], past: Sequence[Attempt] = ()) -> tuple[Message, ...]:
        """Return the conversation within the configured number of tokens.

        The outcomes of answers in `past` that do not fit are summarized in its first message, a line each: they are the
        experience of this lane, and no other's are included.
        """
        room = characters_for(self.options.conversation_tokens)
        fitting = truncated(messages, room)
        answers = "\n".join(message.text for message in fitting if message.role == "assistant")
        missing = [each for each in past if answer_of(each.candidate, self.problem) not in answers]
        if not missing:
            return fitting
        first = next(number for number, message in enumerate(messages) if message.role == "user")
        text = f"{messages[first].text}\n\n{left_out(self.problem, missing)}"
        return truncated([*messages[:first], Message(role="user", text=text), *messages[first + 1 :]], room)

    def _others(self, others: frozenset[str]) -> str:
        """Return the other changeable files, those in the target's folder first, as many as fit."""
        folder = self.problem.path.rpartition("/")[0]
        nearest = sorted(others, key=lambda path: (path.rpartition("/")[0] != folder, path))
        rest = f"\n- and {len(nearest) - MAX_OTHERS} more" if len(nearest) > MAX_OTHERS else ""
        return "\n".join(f"- {path}" for path in nearest[:MAX_OTHERS]) + rest

    def _tests(self) -> tuple[KnownTest, ...]:
        """Return the tests for the first message; those of a hole all fail, if only because it is one.

        The user's examples come first, failing or not.
        """
        tests, hole = self.problem.baseline.tests, self.problem.goal is Goal.IMPLEMENT
        failing = self.problem.baseline.failing
        chosen = failing or (tests if hole else ())
        return (*(test for test in tests if test.is_given), *(test for test in chosen if not test.is_given))

    def _tests_of(self, findings: Sequence[Finding]) -> list[str]:
        """Return the sources of tests named in findings that were not shown in the first message."""
        shown = {test.id for test in self._tests()}
        others = [test.id for test in self.problem.baseline.tests if test.id not in shown]
        named = [one for one in others if any(finding.message.startswith(f"{one}:") for finding in findings)]
        return sources_of(self.problem, named, self.options.context_tokens // 2)

    def _findings(self, candidate: Candidate, report: Report) -> list[str]:
        """Return the verifiers' findings, a line each."""
        answer = written(candidate, self.problem)
        return [self._finding(each, candidate, answer) for verdict in report.objecting for each in verdict.findings]

    def _finding(self, finding: Finding, candidate: Candidate, answer: str) -> str:
        """Return a finding as a line, with the line of the answer it refers to, if any."""
        message = _point(finding.message)
        if finding.line is None:
            return message
        lines = split_lines(candidate.text)
        before = candidate.text.count("\n", 0, _first_line_start(candidate.text, self.problem))
        number = finding.line - before
        if not 1 <= number <= len(answer.splitlines()) or finding.line > len(lines):
            return message
        return f"- line {number} of your answer, `{lines[finding.line - 1].strip()}`: {message.removeprefix('- ')}"


def written(candidate: Candidate, problem: Problem) -> str:
    """Return a candidate's source of the target, even if invalid, with the indentation of its first line."""
    text, span = candidate.text, problem.target.span
    end = len(text) - (len(problem.text) - span.end)
    return text[_first_line_start(text, problem) : end].replace("\r\n", "\n") or OMISSION.strip()


def answer_of(candidate: Candidate, problem: Problem) -> str:
    """Return a candidate as an answer from which it could have been extracted."""
    return answered(candidate, written(candidate, problem))


def as_text(text: str) -> str:
    """Return foreign text in a block, so that it is recognizable as such; empty if there is none."""
    return fenced(text, "text") if text.strip() else ""


def _instruction(problem: Problem) -> Iterator[str]:
    """Yield what the user asks for, in words."""
    yield problem.instruction
    if problem.preserves:
        yield PRESERVE
    yield selected(problem)
    yield problem.guidance.feedback


def _point(message: str) -> str:
    """Return a message as a list item, cut to a maximum length."""
    return f"- {shortened(message.strip(), FINDING_CHARACTERS)}"


def _first_line_start(text: str, problem: Problem) -> int:
    """Return the offset of the line on which the target begins; the text before it is unchanged."""
    return text.rfind("\n", 0, problem.target.span.start) + 1
