"""SARIF 2.1.0: one result for each note, for code scanning and editors."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from certo import __version__
from certo.presentation.changed_function import RULES
from certo.protocol import changed_functions as wire
from certo.vocabulary.display import one_line

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"

_ROOT = "ROOT"


def sarif_text(reports: Sequence[wire.ChangedFunctionReport], end: wire.ChangesReport) -> str:
    """Return the document; paths are relative to the root of the repository."""
    names = list(RULES)
    run = {
        "tool": {
            "driver": {
                "name": "certo",
                "version": __version__,
                "rules": [{"id": name, "shortDescription": {"text": f"{RULES[name]}."}} for name in names],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": f"{_repository(end).as_uri()}/"}},
        "invocations": [{"executionSuccessful": True, "exitCode": end.exit_code}],
        "properties": {"comparedWith": end.revision, "commit": end.commit},
        "results": [_result(end.folder, one, note, names.index(note.rule)) for one in reports for note in one.notes],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _result(folder: str, one: wire.ChangedFunctionReport, note: wire.ChangeNote, rule: int) -> dict[str, Any]:
    name = one.qualname or one.path
    location: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(f"{folder}{one.path}"), "uriBaseId": _ROOT},
            "region": {"startLine": note.line},
        }
    }
    if one.qualname:
        location["logicalLocations"] = [{"fullyQualifiedName": one.qualname, "kind": "function"}]
    return {
        "ruleId": note.rule,
        "ruleIndex": rule,
        "level": note.level,
        "message": {"text": f"{one_line(name)}: {one_line(note.message)}"},
        "locations": [location],
        # The line is no part of it, for it moves with the text above.
        "partialFingerprints": {"certo/v1": _digest(one.path, one.qualname, note.rule, note.message)},
    }


def _repository(end: wire.ChangesReport) -> Path:
    root = Path(end.root)
    return root.parents[end.folder.count("/") - 1] if end.folder else root


def _digest(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:32]
