"""Wording of a comparison of two versions of a function.

A comparison can show that versions differ, and never that they do not. So it says in how many calls no difference was
found, where these came from, and which branches they executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from certo.behaviour.diff import FEW_CALLS, LOW_SHARE, NOT_COMPARED, BehaviourDiff, notices
from certo.behaviour.outcome import gives
from certo.behaviour.version_comparison import BehaviourDifference, BranchCoverage
from certo.vocabulary.display import amount, as_inline_code, as_markdown, visible

SHOWN = 3
"""Maximum number of differences shown without `--all`."""

_WIDTH = 100
_MAX_MISSED = 4
_DOMAINS = {"usual": "", "unusual": "   (no observed call is like this)", "accident": "   (fails there by accident)"}
_SOURCES = {"observed": "of your tests", "live": "inside your tests", "generated": "made up"}


def heading(found: BehaviourDiff) -> tuple[str, str]:
    """Return the verdict in capitals, and what it is about."""
    place = f", where it is {found.older_place}" if found.older_place else ""
    name = f"{found.qualname} in {found.path}:{found.line}, against {found.older}{place}"
    if not found.is_compared:
        return "NOT COMPARED", name
    return ("DIFFERENT" if found.is_different else "NO DIFFERENCE FOUND"), name


def in_one_line(found: BehaviourDiff) -> str:
    """Return the result of one of many functions."""
    if not found.is_compared:
        return f"not compared: {shortened(found.reason, 160)}"
    if found.is_different:
        best = next(one for one in found.differences if not one.is_slight)
        before, now = apart(best.before, best.now, 40)
        return f"different: {shortened(best.call, 60)} gave {before}, now {now}"
    said = f"no difference found in {amount(found.compared, 'call')}"
    weak = next(_weak(found), "")
    if weak:
        return f"{weak}; {said}"
    return f"{said}; {notices(found.sensitivity)}" if found.sensitivity.tried else said


def details(found: BehaviourDiff, *, every: bool) -> Iterator[str]:
    """Yield the lines below the heading."""
    if not found.is_compared:
        yield found.reason
        return
    if not found.is_different:
        yield from _weak(found)
    yield from _differing(found, every=every)
    yield f"compared {amount(found.compared, 'call')}: {_sources(found)}"
    if found.sensitivity.tried and found.sensitivity.share >= LOW_SHARE:
        yield notices(found.sensitivity)
    yield from _branches(found)
    yield from _skipped(found)


def call_script(found: BehaviourDiff) -> str:
    """Return a script that makes the call of the best difference; "" if there is none that can be made by itself."""
    best = next((one for one in found.differences if not one.is_slight and not one.where), None)
    if best is None:
        return ""
    module = found.path.removesuffix(".py").removeprefix("src/").removesuffix("/__init__").replace("/", ".")
    before, now = apart(gives(best.before), gives(best.now), 2 * _WIDTH)
    return (
        f"# {found.older}: {before}\n# now: {now}\n# Run it in the folder of the project, with its interpreter.\n"
        f"import importlib\n\nmodule = importlib.import_module({module!r})\n"
        f"print(repr(eval({best.call!r}, vars(module))))\n"
    )


def _weak(found: BehaviourDiff) -> Iterator[str]:
    """Yield the reasons for which the absence of a difference says little, which come first."""
    if found.compared < FEW_CALLS:
        yield f"weak evidence: only {amount(found.compared, 'call')} could be compared"
    if sum(found.comparison.raised.values()) == found.compared:
        yield "weak evidence: every call raised an exception"
    if found.lacks_live:
        types = ", ".join(found.comparison.unwritten[:3])
        yield f"weak evidence: tests call it with objects that cannot be made again ({types}), and these were left out"
    if found.sensitivity.tried and found.sensitivity.share < LOW_SHARE:
        yield f"weak evidence: {notices(found.sensitivity)} of the function"
    for line, words, version in found.unexecuted[:1]:
        more = f", nor {len(found.unexecuted) - 1} more" if len(found.unexecuted) > 1 else ""
        yield f"weak evidence: no call executed a part of the change, line {line}, {words} ({version}){more}"


def _differing(found: BehaviourDiff, *, every: bool) -> Iterator[str]:
    differences = found.differences
    shown = differences if every else [one for one in differences if not one.is_slight][:SHOWN]
    for one in shown:
        yield f"  {shortened(one.call, _WIDTH)}{_about(one)}"
        before, now = apart(gives(one.before), gives(one.now), 2 * _WIDTH)
        yield f"      {found.older}: {before}"
        yield f"      now: {now}"
    slight = len(differences) - len(shown)
    if slight:
        yield f"  {amount(slight, 'more call')} with a difference, perhaps only in a message; --all shows them"


def _about(difference: BehaviourDifference) -> str:
    """Return what is special about a call."""
    if difference.where:
        return f"   made by {difference.where}"
    return _DOMAINS[difference.domain]


def _sources(found: BehaviourDiff) -> str:
    made = found.comparison.made
    said = [f"{made[source]:,} {words}" for source, words in _SOURCES.items() if made.get(source)]
    return ", ".join(said)


def _branches(found: BehaviourDiff) -> Iterator[str]:
    own, older = found.comparison.branches, found.comparison.versions[0].branches
    if not own.number and not older.number:
        return
    if not own.missed and not older.missed:
        yield "every branch of both versions was executed"
        return
    before = f"{older.executed} of {older.number} ({found.older})"
    yield f"branches executed: {before} and {own.executed} of {own.number} (now)"
    missed = [*_missed(older, found.older), *_missed(own, "now")]
    yield f"never executed: {'; '.join(missed[:_MAX_MISSED])}{' …' if len(missed) > _MAX_MISSED else ''}"


def _missed(coverage: BranchCoverage, version: str) -> Iterator[str]:
    for line, words in coverage.missed:
        yield f"line {line}, {words} ({version})"


def _skipped(found: BehaviourDiff) -> Iterator[str]:
    comparison = found.comparison
    for reason, number in sorted(comparison.skipped.items()):
        yield f"not compared: {amount(number, 'call')}, because {NOT_COMPARED.get(reason, reason)}"
    if comparison.guessed:
        names = ", ".join(comparison.guessed)
        yield f"nothing says of what type {names} should be, so plain values of all kinds were tried"
    if comparison.is_spent:
        yield "the time was over before the calls were"


def apart(one: str, other: str, most: int) -> tuple[str, str]:
    """Return two texts in one line of at most so many characters each, in which they still differ."""
    short = shortened(one, most), shortened(other, most)
    if one == other or short[0] != short[1]:
        return short
    alike = next((number for number, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    same = max(0, alike - most // 2)
    return shortened(f"…{one[same:]}", most), shortened(f"…{other[same:]}", most)


def shortened(text: str, most: int) -> str:
    """Return a text in one line of at most so many characters; blanks stay, for two texts may differ in them."""
    line = " ".join(visible(text).strip().splitlines())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def summary(results: Sequence[BehaviourDiff], older: str) -> str:
    """Return a table in Markdown of the results for many functions, and what they come to."""
    rows = [
        f"| {_cell(f'{one.path}::{one.qualname}')} | {heading(one)[0].lower()} | {_cell(in_one_line(one))} |"
        for one in results
    ]
    head = [f"Compared with {as_markdown(older)}:", "", "| function | result | evidence |", "|:--|:--|:--|"]
    return "\n".join([*head, *rows, "", f"{totals(results)}.", ""])


def _cell(text: str) -> str:
    # Backticks are a part of a call or a value here, and mark no code.
    return as_inline_code(text, in_cell=True) if "`" in text else as_markdown(text, in_cell=True)


def totals(results: Sequence[BehaviourDiff]) -> str:
    """Return how many functions were compared, were not, and differ."""
    skipped = sum(not one.is_compared for one in results)
    weak = sum(one.is_weak for one in results)
    different = sum(one.is_different for one in results)
    said = f"{len(results) - skipped} compared, {skipped} not compared, {different} different"
    return f"{said}, {weak} on weak evidence" if weak else said
