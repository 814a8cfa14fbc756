"""JUnit XML: one test case for each changed function."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from xml.etree import ElementTree

from certo.protocol.changed_functions import ChangedFunctionReport, ChangesReport
from certo.vocabulary.display import visible

_TAGS = {
    "failed": "failure",
    "not-verified": "failure",
    "undecided": "error",
    "not-judged": "error",
    "unreadable": "error",
    "deleted": "skipped",
}
"""The element for each result but that of a verified function, which has none."""

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may have."""


def junit_text(reports: Sequence[ChangedFunctionReport], end: ChangesReport) -> str:
    """Return the document, with a test suite for each file."""
    root = ElementTree.Element("testsuites", {"name": "certo verify --changed", **_counts(reports)})
    for path, group in groupby(reports, key=lambda one: one.path):
        of_file = list(group)
        suite = ElementTree.SubElement(root, "testsuite", {"name": _clean(path), **_counts(of_file)})
        properties = ElementTree.SubElement(suite, "properties")
        ElementTree.SubElement(properties, "property", {"name": "compared with", "value": _clean(end.revision)})
        for one in of_file:
            _add_case(suite, one)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _counts(reports: Sequence[ChangedFunctionReport]) -> dict[str, str]:
    tags = [_TAGS.get(one.result, "") for one in reports]
    numbers = {
        name: str(tags.count(tag))
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
    }
    return {"tests": str(len(reports)), **numbers, "time": f"{sum(one.seconds for one in reports):.3f}"}


def _add_case(suite: ElementTree.Element, one: ChangedFunctionReport) -> None:
    module = one.path.removesuffix(".py").replace("/", ".")
    case = ElementTree.SubElement(
        suite,
        "testcase",
        {"classname": _clean(module), "name": _clean(one.qualname or one.path), "time": f"{one.seconds:.3f}"},
    )
    tag = _TAGS.get(one.result)
    if tag is not None:
        first = next(iter(one.notes), None)
        message = first.message if first is not None else one.reason
        element = ElementTree.SubElement(case, tag, {"message": _clean(message)})
        if tag != "skipped":
            element.set("type", one.result)
            element.text = _clean(f"{one.path}:{one.line}: {message}")
    said = [one.summary, *(f"{one.path}:{note.line}: {note.message}" for note in one.notes)]
    ElementTree.SubElement(case, "system-out").text = _clean("\n".join(filter(None, said)))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("?", visible(text))
