"""The generated pages are what `make reference` writes, and name all there is to name."""

from __future__ import annotations

import inspect
from collections import Counter

import pytest

import certo
import certo.testing
from certo.cli import exit_codes
from certo.cli.main import COMMANDS
from certo.settings.schema import known_options
from certo.vocabulary.outcome import Outcome
from support.documents.command_lines import flags, parser_of
from support.documents.pages import ROOT, Page
from support.lsp.wire_models import wire_models
from support.reference.python_pages import THEMES
from support.reference.written import GENERATED_PAGES, is_generated


@pytest.mark.parametrize("path", GENERATED_PAGES)
def test_a_page_is_up_to_date(path: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == GENERATED_PAGES[path](), "write it anew: make reference"


def test_no_page_is_left_of_earlier_code() -> None:
    kept = {path for path in (ROOT / "docs").rglob("*.md") if is_generated(path.read_text(encoding="utf-8"))}
    assert {path.relative_to(ROOT).as_posix() for path in kept} == set(GENERATED_PAGES)


def test_each_setting_has_an_anchor() -> None:
    """The settings of further models are those of `model`, and described once."""
    named = {name for name in known_options() if not name.startswith("models.")}
    assert named - Page("docs/reference/settings.md").anchors == set()


def test_each_command_flag_and_code_is_there() -> None:
    text = Page("docs/reference/cli.md").text
    for name in COMMANDS:
        section = text.partition(f"\n## `certo {name}`\n")[2].partition("\n## ")[0]
        assert {flag for flag in flags(parser_of(name)) if flag not in section} <= {"-h", "--help"}, name
    numbers = {value for _, value in inspect.getmembers(exit_codes) if isinstance(value, int)}
    assert {number for number in numbers if f"\n| {number} | " not in text} == set()
    assert 141 in numbers


def test_each_outcome_is_there() -> None:
    text = Page("docs/reference/outcomes.md").text
    assert [outcome for outcome in Outcome if f"| {outcome.value} |" not in text] == []


def test_each_field_of_each_message_is_there() -> None:
    text = Page("docs/reference/messages.md").text
    for name, model in wire_models().items():
        if model.__subclasses__():
            continue  # It only has what several models share, and crosses the wire as one of them.
        section = text.partition(f"\n### `{name}")[2].partition("\n### ")[0]
        fields = {declared.alias or field for field, declared in model.model_fields.items()}
        assert {field for field in fields if f"| `{field}` |" not in section} == set(), name


def test_each_public_name_is_on_one_page() -> None:
    named = Counter(name for _, _, members in THEMES.values() for name in members)
    assert set(named.values()) == {1}
    assert set(named) == {*certo.__all__, *certo.testing.__all__} - {"__version__"}
