"""What a candidate is named by: all that it changes, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from certo.vocabulary.candidate import FileChange, candidate_id

OTHER = FileChange(path="other.py", before="a\n", after="b\n", diff="", hunks=())


def test_candidates_of_one_file_keep_their_names() -> None:
    assert candidate_id("a", "b") == candidate_id("a", "b", ()) == "3c9d591045bc"


def test_whatever_differs_elsewhere_makes_another_candidate() -> None:
    others = (OTHER, replace(OTHER, path="others.py"), replace(OTHER, after="c\n"), replace(OTHER, before=None))
    empty = replace(OTHER, before="")
    names = {candidate_id("a", "b"), *(candidate_id("a", "b", (each,)) for each in (*others, empty))}
    assert len(names) == len(others) + 2


def test_the_name_ignores_the_diff() -> None:
    assert candidate_id("a", "b", (OTHER,)) == candidate_id("a", "b", (replace(OTHER, diff="-a\n+b\n"),))
