"""All that a candidate changes, file by file: each as a diff and as hunks, and together as one diff."""

from __future__ import annotations

from certo.edits.diff import unified
from certo.edits.hunks import hunks_of
from certo.edits.newlines import newline_of, with_newlines
from certo.vocabulary.candidate import Candidate, FileChange
from certo.vocabulary.problem import Problem


def change_of(path: str, before: str | None, after: str) -> FileChange:
    """The change that makes `after` of a file, with the line breaks that it has; of one that is new, as they are."""
    text = after if before is None else with_newlines(after, newline_of(before))
    return FileChange(
        path=path, before=before, after=text, diff=unified(before, text, path), hunks=hunks_of(before or "", text)
    )


def whole_diff(candidate: Candidate, problem: Problem) -> str:
    """Everything a candidate changes as one unified diff, the problem's own document first."""
    own = unified(problem.text, candidate.text, problem.path)
    return "".join((own, *(change.diff for change in candidate.elsewhere)))
