"""Memory of one editor's comparisons with the last commit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from certo.behaviour.diff import BehaviourDiff
from certo.edits.target import ByName
from certo.vocabulary.problem import Target
from certo.vocabulary.records import dataclass

HEAD = "HEAD"
"""The revision of the last commit."""


@dataclass(frozen=True, slots=True)
class _Result:
    text: str
    found: BehaviourDiff
    is_unasked: bool


class Comparisons:
    """The texts of open documents in the last commit, and one result for each function, with the text it is about."""

    def __init__(self) -> None:
        self._commits: dict[Path, str | None] = {}
        self._results: dict[Path, dict[tuple[str, int], _Result]] = {}

    def set_commit(self, path: Path, text: str | None) -> None:
        """Store the text of a document in the last commit; results about another one are forgotten."""
        if self._commits.get(path) != text:
            self._results.pop(path, None)
        self._commits[path] = text

    def commit_of(self, path: Path) -> str | None:
        """Return the text of a document in the last commit; None if it is not known or there is none."""
        return self._commits.get(path)

    def remember(
        self, path: Path, text: str, target: Target, found: BehaviourDiff, *, is_unasked: bool = False
    ) -> None:
        """Store the result about a function of a text, which may have been compared without being asked for."""
        known = self._results.setdefault(path, {}).get((target.qualname, target.number))
        stays = known is not None and known.text == text and known.is_unasked
        self._results[path][target.qualname, target.number] = _Result(text, found, is_unasked or stays)

    def found_unasked(self, path: Path, text: str) -> Iterator[tuple[ByName, BehaviourDiff]]:
        """Yield the functions of exactly this text that were compared unasked and differ."""
        for (qualname, number), result in self._results.get(path, {}).items():
            if result.is_unasked and result.text == text and result.found.is_different:
                yield ByName(qualname, number), result.found

    def result_of(self, path: Path, text: str, target: Target) -> BehaviourDiff | None:
        """Return the result about a function of exactly this text."""
        result = self._results.get(path, {}).get((target.qualname, target.number))
        return result.found if result is not None and result.text == text else None

    def changed(self, path: Path) -> None:
        """Forget the results about other documents, whose functions may use the one that changed."""
        self._results = {each: results for each, results in self._results.items() if each == path}

    def close(self, path: Path) -> None:
        """Forget a document."""
        self._commits.pop(path, None)
        self._results.pop(path, None)
