"""Votes of candidates for what they do: those that behave alike are a group, and the likeliest group comes first.

If programs are sampled independently, the share of samples that behave alike estimates how likely their writer takes
that behaviour to be right, however they are spelled: so each sample is a vote, a repeated one too (Wang et al.,
"Self-consistency improves chain of thought reasoning", 2022; Chen et al., "CodeT", 2022). A program that was made of
another repeats what that one does, and is no second opinion.
"""

from __future__ import annotations

from collections.abc import Sequence

from certo.behaviour.outcome import CallOutcome
from certo.generation.builtin.clusters import Outcomes, clusters, supports
from certo.vocabulary.records import dataclass

_RAISES = CallOutcome("raises")
"""Outcome of every call that raises: two that raise are alike, whatever the exceptions, as neither gives an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """A candidate to be compared: its text, and how often it was written independently.

    `made_of` are the numbers of the candidates that it was made of. Beside one of them in its group it has no vote.
    """

    text: str
    votes: int = 1
    made_of: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The numbers of candidates that behave alike, and their votes.

    `backed` counts the votes too of other groups that give the same wherever both answer, and answer no more calls;
    `answers` counts the calls that they answer.
    """

    members: tuple[int, ...]
    votes: int
    backed: int
    answers: int

    @property
    def rank(self) -> tuple[int, int, int]:
        """Sort key, the likeliest first."""
        return -self.backed, -self.votes, -self.answers


def grouped(
    versions: Sequence[Outcomes], ballots: Sequence[Ballot], present: Sequence[int], numbers: Sequence[int]
) -> tuple[Group, ...]:
    """Return the candidates that are `present` in groups that behave alike on these calls, the likeliest first."""
    shown = {place: with_one_exception(versions[place]) for place in present}
    found = [tuple(present[each] for each in group) for group in clusters([*shown.values()], numbers)]
    votes = {members: _votes(members, ballots) for members in found}

    def backed(members: tuple[int, ...]) -> int:
        ours = shown[members[0]]
        others = (other for other in found if other != members and supports(shown[other[0]], ours, numbers))
        return votes[members] + sum(votes[other] for other in others)

    groups = (
        Group(
            members=members,
            votes=votes[members],
            backed=backed(members),
            answers=sum(is_answer(versions[members[0]][number]) for number in numbers),
        )
        for members in found
    )
    return tuple(sorted(groups, key=lambda group: (group.rank, group.members)))


def distinguished(
    versions: Sequence[Outcomes],
    ballots: Sequence[Ballot],
    present: Sequence[int],
    unusual: Sequence[int],
    numbers: Sequence[int],
) -> tuple[tuple[int, ...], tuple[Group, ...]]:
    """Return the calls to compare by, and the groups: only calls no more unusual than it takes to tell any apart.

    `unusual` counts what each call lacks of what all known calls share. What is right on an input that no caller gives
    is nobody's question, so such a call must not part candidates if a more usual one parts some already.
    """
    for level in sorted({unusual[number] for number in numbers}):
        usual = tuple(number for number in numbers if unusual[number] <= level)
        groups = grouped(versions, ballots, present, usual)
        if len(groups) > 1:
            return usual, groups
    return tuple(numbers), grouped(versions, ballots, present, numbers)


def with_one_exception(outcomes: Outcomes) -> Outcomes:
    """Return the outcomes with all exceptions as one."""
    return tuple(_RAISES if outcome is not None and outcome.kind == "raises" else outcome for outcome in outcomes)


def is_answer(outcome: CallOutcome | None) -> bool:
    """True if the call was made and gave a result."""
    return outcome is not None and outcome.is_answer


def _votes(members: Sequence[int], ballots: Sequence[Ballot]) -> int:
    return sum(ballots[place].votes for place in members if ballots[place].made_of.isdisjoint(members))
