"""The settings in words: nothing is left out, nothing is made up, and the schema says what the loader does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from certo.settings.documents import descriptions, json_schema, option_schema, settings_table
from certo.settings.loader import load_settings
from certo.settings.schema import Option, Settings, known_options

OPTIONS = list(known_options().values())


def test_every_setting_is_described_and_nothing_else() -> None:
    assert set(descriptions()) == set(known_options())
    assert [name for name, words in descriptions().items() if not words.endswith(".")] == []


def test_settings_of_further_models_are_short() -> None:
    assert descriptions()["models.<name>.tries"] == "As `model.tries`, for this model."


def test_description_says_what_projects_may_not_set() -> None:
    assert descriptions()["search.record"].endswith(" Not allowed in a project's file.")
    assert "project" not in descriptions()["search.seed"]


def test_table_has_a_row_for_each_setting() -> None:
    head, rule, *rows = settings_table().splitlines()
    assert (head, rule) == ("| setting | type | default | what it does |", "| --- | --- | --- | --- |")
    assert len(rows) == len(OPTIONS)
    for option, row in zip(OPTIONS, rows, strict=True):
        assert row.startswith(f"| `{option.name}` | ")
        assert row.count(" | ") == 3
    assert any(row.startswith("| `search.seconds` | number, more than 0 | `60.0` | Seconds that one") for row in rows)
    assert any(row.startswith('| `retry.select` | `first`, `cheapest` | `"first"` |') for row in rows)
    assert any(row.startswith("| `search.calls` | whole number, at least 0, or not set | `200` |") for row in rows)
    assert any(row.startswith("| `generation.temperatures` | list of number, from 0 to 2 |") for row in rows)
    assert any(row.startswith("| `interpreter` | text, or not set | not set |") for row in rows)


def test_schema_is_json_with_camel_case_names() -> None:
    schema = json.loads(json.dumps(json_schema()))
    search = schema["properties"]["search"]
    assert search["additionalProperties"] is False
    assert search["properties"]["fullReport"]["type"] == "boolean"
    assert search["properties"]["seconds"]["default"] == 60.0
    assert schema["properties"]["retry"]["properties"]["select"]["enum"] == ["first", "cheapest"]
    assert schema["properties"]["sandbox"]["properties"]["slots"]["default"] is None


def test_the_schema_has_groups_that_users_name() -> None:
    criteria = json_schema()["properties"]["criteria"]
    assert criteria["propertyNames"] == {"pattern": "^[a-z][a-z0-9_-]*$"}
    group = criteria["additionalProperties"]
    assert (group["additionalProperties"], group["required"]) == (False, ["expression"])
    assert group["properties"]["minPass"]["default"] == 1
    assert "default" not in group["properties"]["expression"]


def test_the_table_marks_required_settings() -> None:
    assert "| `criteria.<name>.expression` | text | has to be set | " in settings_table()


@pytest.mark.parametrize(
    "option", [option for option in OPTIONS if not option.is_named], ids=lambda option: option.name
)
def test_defaults_of_the_schema_can_be_set(option: Option, tmp_path: Path) -> None:
    default = option_schema(option).get("default", option.default)
    assert load_settings(tmp_path, client={option.wire_name: default}, environ={}, flags=None) == Settings()
