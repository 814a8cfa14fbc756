"""Writing tests of a function: choose calls, write them down in the project's style, and filter them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace

from certo.behaviour.subject import Subject
from certo.edits.definitions import Definition
from certo.generation.regression.bodies import TestBody, Writer, body_of_property
from certo.generation.regression.docstring_calls import call_of, docstring_calls
from certo.generation.regression.gate import GateResult, KillClaim, filter_tests
from certo.generation.regression.layout import TestPlace, find_place
from certo.generation.regression.names import names_of
from certo.generation.regression.selection import (
    NORMAL,
    WANTED,
    CallSelection,
    PropertyMessage,
    SelectionBudget,
    SummaryMessage,
    TestMessage,
    select_calls,
)
from certo.generation.regression.tables import in_tables
from certo.generation.regression.test_file import NewTest, TestFileWriter
from certo.vocabulary.records import dataclass
from certo.vocabulary.text import TextEdit
from certo.vocabulary.written_tests import SuspiciousCall, WrittenTest, WrittenTests


@dataclass(frozen=True, slots=True, kw_only=True)
class TestProposal:
    """Tests that passed the filter, and the file that they are written into.

    `open` are the mutants that they do not notice, if they were asked for, and `lines` those of all mutants.
    """

    __test__ = False

    written: WrittenTests
    place: TestPlace | None = None
    writer: TestFileWriter | None = None
    tests: tuple[NewTest, ...] = ()
    open: Mapping[int, Sequence[TextEdit]] = field(default_factory=dict)
    lines: Mapping[int, int] = field(default_factory=dict)

    def text(self, names: Collection[str]) -> str:
        """Return the test file with those of the tests that are named."""
        assert self.writer is not None  # nobody takes tests where there are none
        return self.writer.text([test for test in self.tests if test.name in names])

    def edits(self) -> list[tuple[TextEdit, str | None]]:
        """Return the insertions in the test file, each with the name of its test; None for what all tests need."""
        assert self.writer is not None  # nobody takes tests where there are none
        return self.writer.edits(self.tests)


async def write_tests(
    subject: Subject,
    *,
    seed: int,
    budget: SelectionBudget = NORMAL,
    wanted: Sequence[str] = (),
    tells_open: bool = False,
    say: Callable[[str], None] = lambda _: None,
) -> TestProposal:
    """Return tests of the subject that state what it does today; nothing is written to any file.

    Of the calls `wanted` there are tests whatever they notice. With `tells_open` the proposal has the mutants that are
    left, for tests from elsewhere.

    Raises:
        BadRequest: The place where the tests would go cannot be written to.
        BrokenWorld: Nothing can be run here.
    """
    name = subject.target.short_name
    if subject.callee is None:
        return _nothing(f"{name} cannot be called from outside, so no test of it can be written")
    wire = subject.wire_callee
    place = find_place(subject.root, subject.path, subject.tests, subject.unsaved)
    say("choosing calls that are worth a test")
    is_plain = not wire["has_receiver"] and wire["receiver"] is None
    shown = docstring_calls(subject.target, subject.text, wire["name"]) if is_plain else []
    needed = [call for text in wanted if (call := call_of(text, wire)) is not None]
    selection = await select_calls(
        subject,
        wire,
        budget,
        seed,
        examples=shown,
        wanted=needed,
        preferred=place.fixtures,
        tells_open=tells_open,
    )
    summary = selection.summary
    if summary is None:
        return _nothing(f"no call of {name} could be made: {selection.trouble}")
    writer = TestFileWriter(place, subject.target.qualname)
    claims: list[tuple[TestMessage | PropertyMessage, KillClaim]] = [*_claims(subject, selection, writer, place)]
    taken = {claim.test.name for _, claim in claims}
    claims += _property_claims(subject, selection, writer, place, taken)
    claims = _with_tables(subject, place, writer, claims)
    if not claims:
        return _without_tests(name, selection, summary, place, writer)
    say(f"running {len(claims)} tests in several orders, broken, and on small changes of {name}")
    kept, result = await filter_tests(subject, place.path, writer, [claim for _, claim in claims], selection.mutants)
    return _proposal(name, selection, summary, place, writer, claims, kept, result)


def _without_tests(
    name: str, selection: CallSelection, summary: SummaryMessage, place: TestPlace, writer: TestFileWriter
) -> TestProposal:
    """Return the proposal if no call was worth a test, with the reason."""
    written = WrittenTests(
        reason=_reason(name, selection, summary),
        suspicious=_suspicious(selection),
        path=place.path,
        is_new=place.text is None,
        mutants=summary.mutants,
        noticed_before=summary.noticed_before,
        noticed_after=summary.noticed_before,
    )
    return TestProposal(written=written, place=place, writer=writer, open=selection.mutants, lines=selection.lines)


def _claims(
    subject: Subject, selection: CallSelection, writer: TestFileWriter, place: TestPlace
) -> list[tuple[TestMessage, KillClaim]]:
    """Return the chosen calls as tests, with what each claims to notice; those that look wrong come last."""
    parameters = _parameters(subject.definition)
    messages = [*selection.tests, *selection.suspicious]
    names = names_of(messages, subject.target.name, parameters, writer.names)
    found = []
    for message, name in zip(messages, names, strict=True):
        imports, qualify = _qualified(message, writer)
        body: TestBody | None = Writer(
            form=place.style.form,
            parameters=parameters,
            qualify=qualify,
            is_async=isinstance(subject.definition.node, ast.AsyncFunctionDef),
            fixtures=place.fixtures,
        ).body(message)
        if body is not None:
            imports = _needed(imports, body)
            mutants = tuple(number for number in message.notices if number in selection.mutants)
            test = NewTest(name=name, body=body, imports=imports, states=f"{message.text} {_result(message)}")
            is_needed = bool(message.branches) or message.source == WANTED or message.kind == "suspicious"
            found.append((message, KillClaim(test=test, mutants=mutants, is_needed=is_needed)))
    return found


def _with_tables(
    subject: Subject,
    place: TestPlace,
    writer: TestFileWriter,
    claims: Sequence[tuple[TestMessage | PropertyMessage, KillClaim]],
) -> list[tuple[TestMessage | PropertyMessage, KillClaim]]:
    """Return the claims, with tests of one form as rows of a table."""
    by_body = {id(claim.test.body.assertions): (message, claim) for message, claim in claims}
    tests = in_tables(
        [claim.test for _, claim in claims],
        subject.target.name,
        _parameters(subject.definition),
        place.style,
        writer.names,
    )
    found = [(test, *by_body[id(test.body.assertions)]) for test in tests]
    return [(message, replace(claim, test=test)) for test, message, claim in found]


def _property_claims(
    subject: Subject, selection: CallSelection, writer: TestFileWriter, place: TestPlace, taken: Collection[str]
) -> Iterator[tuple[PropertyMessage, KillClaim]]:
    """Yield the properties as tests, with what each claims to notice."""
    parameters = _parameters(subject.definition)
    for message in selection.properties:
        size = len(message.rows[0])
        names = parameters[:size]
        name = f"test_{subject.target.name.strip('_')}_{message.name}"
        if len(names) < size or name in taken or name in writer.names:
            continue
        imports, qualify = _qualified(message, writer)
        rows = [[qualify(text) for text in row] for row in message.rows]
        body = body_of_property(qualify(message.text(*names)), names, rows, place.style.form)
        mutants = tuple(number for number in message.notices if number in selection.mutants)
        test = NewTest(name=name, body=body, imports=imports, states=message.text(*names))
        yield message, KillClaim(test=test, mutants=mutants, is_needed=False)


def _parameters(definition: Definition) -> list[str]:
    given = definition.node.args
    plain = [argument.arg for argument in (*given.posonlyargs, *given.args)]
    return plain[1:] if "." in definition.qualname and plain[:1] in (["self"], ["cls"]) else plain


def _qualified(
    message: TestMessage | PropertyMessage, writer: TestFileWriter
) -> tuple[tuple[tuple[str, str], ...], Callable[[str], str]]:
    """Return the imports that a test needs, and how its expressions are written: a file may import whole modules."""
    prefixes = {
        name: writer.prefixes[home]
        for name, home in message.imports
        if home in writer.prefixes and not writer.is_bound(name)
    }
    imports = [(name, home) for name, home in message.imports if name not in prefixes]
    for name, home in list(imports):
        # Another thing of this name is in the file already, so the module is imported whole.
        if home and writer.is_another(name, home):
            prefixes[name] = home
            imports[imports.index((name, home))] = (home, "")

    def qualify(text: str) -> str:
        return _Prefixed(prefixes).written(text) if prefixes else text

    return tuple(imports), qualify


def _needed(imports: Sequence[tuple[str, str]], body: TestBody) -> tuple[tuple[str, str], ...]:
    """Return the imports that a body needs: a fixture may make what a call was written with."""
    tree = ast.parse("\n".join(body.lines()))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return tuple(one for one in imports if one[0].partition(".")[0] in used)


class _Prefixed(ast.NodeTransformer):
    """Writes names with the module that they come from."""

    def __init__(self, prefixes: dict[str, str]) -> None:
        self._prefixes = prefixes

    def written(self, text: str) -> str:
        """Return an expression with its names prefixed."""
        tree = ast.parse(text, mode="eval")
        if not any(isinstance(node, ast.Name) and node.id in self._prefixes for node in ast.walk(tree)):
            return text
        return ast.unparse(self.visit(tree))

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the name, prefixed if it comes from a module that is imported whole."""
        prefix = self._prefixes.get(node.id)
        return node if prefix is None else ast.parse(f"{prefix}.{node.id}", mode="eval").body


def _proposal(
    name: str,
    selection: CallSelection,
    summary: SummaryMessage,
    place: TestPlace,
    writer: TestFileWriter,
    claims: Sequence[tuple[TestMessage | PropertyMessage, KillClaim]],
    kept: dict[str, tuple[int, ...]],
    result: GateResult,
) -> TestProposal:
    tests = []
    for message, claim in claims:
        noticed = kept.get(claim.test.name)
        if noticed is None:
            continue
        tests.append(
            WrittenTest(
                id=writer.node_id(claim.test.name),
                name=claim.test.name,
                source=writer.source(claim.test),
                call=_relation(message, claim) if isinstance(message, PropertyMessage) else message.text,
                result=_result(message),
                held=message.held if isinstance(message, PropertyMessage) else 0,
                notices=len(noticed),
                lines=tuple(sorted({selection.lines[number] for number in noticed})),
                branches=tuple(f"{words}, line {line}" for line, words in _branches(message)),
                doubt=f"it looks wrong: {_suspicion(message)}" if message.kind == "suspicious" else "",
            )
        )
    left_out = [claim.test.name for _, claim in claims if claim.test.name not in kept]
    why = "it does not notice what it should"
    rejected = tuple(f"{each}: {result.wrong.get(writer.within_file(each), why)}" for each in left_out)
    noticed_now = {number for numbers in kept.values() for number in numbers}
    executed = sum(len(_branches(message)) for message, claim in claims if claim.test.name in kept)
    written = WrittenTests(
        path=place.path,
        is_new=place.text is None,
        tests=tuple(tests),
        suspicious=_suspicious(selection),
        rejected=rejected,
        mutants=summary.mutants,
        noticed_before=summary.noticed_before,
        noticed_after=summary.noticed_before + len(noticed_now),
        branches=summary.branches,
        executed_before=summary.tested,
        executed_after=summary.tested + executed,
        calls=_calls(summary),
        reason="" if tests else _rejection(name, result, rejected),
    )
    return TestProposal(
        written=written,
        place=place,
        writer=writer,
        tests=tuple(claim.test for _, claim in claims if claim.test.name in kept),
        open={number: edits for number, edits in selection.mutants.items() if number not in noticed_now},
        lines=selection.lines,
    )


def _calls(summary: SummaryMessage) -> int:
    return sum(number for source, number in summary.counts.items() if source in ("observed", "example", "generated"))


def _branches(message: TestMessage | PropertyMessage) -> Sequence[tuple[int, str]]:
    return message.branches if isinstance(message, TestMessage) else ()


def _relation(message: PropertyMessage, claim: KillClaim) -> str:
    """Return a property in words: the relation with names for the arguments."""
    head = claim.test.body.assertions[0].lines[0].removeprefix("for ").partition(" in ")[0]
    return message.text(*head.split(", "))


def _result(message: TestMessage | PropertyMessage) -> str:
    if isinstance(message, PropertyMessage):
        return f"holds on {message.held} calls"
    asserted = message.asserted
    if asserted.kind == "raises":
        return f"raises {asserted.error}"
    if asserted.expected is not None:
        return f"{'yields' if asserted.kind == 'yields' else 'gives'} {asserted.expected}"
    return f"gives a {asserted.type}"


def _suspicious(selection: CallSelection) -> tuple[SuspiciousCall, ...]:
    return tuple(
        SuspiciousCall(call=message.text, result=_result(message), why=_suspicion(message))
        for message in selection.suspicious
    )


def _suspicion(message: TestMessage | PropertyMessage) -> str:
    """Return why the result of a call looks wrong."""
    if isinstance(message, TestMessage) and message.asserted.kind == "raises":
        return f"no `raise` in the project makes this {message.asserted.error}"
    if isinstance(message, TestMessage) and message.declared:
        return f"the function is declared to return `{message.declared}`"
    return "all other calls give something else than None"


def _nothing(reason: str) -> TestProposal:
    return TestProposal(written=WrittenTests(reason=reason))


def _reason(name: str, selection: CallSelection, summary: SummaryMessage) -> str:
    """Return why no call was worth a test."""
    calls = _calls(summary)
    if summary.unmade:
        return (
            f"certo cannot make up {' and '.join(summary.unmade)} of {name}; a test, a docstring example or an "
            "annotation that shows one would help"
        )
    if not calls:
        return f"no call of {name} could be made up"
    steady = sum(summary.results.values())
    if summary.changing and summary.changing >= steady:
        return f"{name} changes globals or files on each of {calls} calls, which a test would leave behind"
    if not steady:
        return f"none of {calls} calls of {name} ended with the same result twice"
    if summary.opaque >= steady:
        return f"what {name} gives cannot be written down, so there is nothing to assert"
    if summary.counts.get("elsewhere"):
        return (
            f"what {name} gives depends on the time, on random numbers or on the folder of the project; a function "
            "that takes them as arguments can be tested"
        )
    if not selection.suspicious and summary.results.get("raises", 0) < steady:
        return f"the tests that exist already notice all that {calls} calls of {name} could show"
    return f"each of {calls} calls of {name} fails by accident, so nothing is known of what it should do"


def _rejection(name: str, result: GateResult, rejected: Sequence[str]) -> str:
    if result.problem:
        return f"the tests written for {name} could not be run: {result.problem}"
    said = result.wrong.values()
    if said and all(one.startswith(("setup skipped", "call skipped")) for one in said):
        return f"the project skips every test that was written for {name}, so nothing is known of them"
    return f"no test written for {name} passed the filter; the first: {rejected[0] if rejected else 'there was none'}"


def with_selected(proposal: TestProposal, names: Collection[str]) -> TestProposal:
    """Return the proposal with those tests only that are named."""
    tests = tuple(test for test in proposal.written.tests if test.name in names)
    return replace(proposal, written=replace(proposal.written, tests=tests))
