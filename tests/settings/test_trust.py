"""What settings may not say: keys, anywhere; and in a project's own file, what would cost or betray its user."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from certo.settings.loader import load_settings, read_settings
from certo.vocabulary.errors import BadSetting

KEYS = [
    "sk-proj-4f9a67d02d2ec5840726aCertoCanary",
    "sk-ant-api03-4f9a67d02d2ec5840726a-CertoCanary",
    "gsk_4f9a67d02d2ec5840726aCertoCanary",
    "AIzaSyD4f9a67d02d2ec5840726aCertoCanary",
    "Bearer 4f9a67d02d2ec584",
    "https://ada:lovelace1815@llm.example.com/v1",
]
NO_KEYS = [
    "http://127.0.0.1:8080/v1",
    "openai:gpt-5-mini",
    "sk-learn-integration-tests-of-ours",
    "OPENAI_API_KEY",
    "the skeleton_of_the_answer_is_right2",
]


def said(root: Path, **sources) -> str:
    with pytest.raises(BadSetting) as caught:
        load_settings(root, **{"client": None, "environ": {}, "flags": None, **sources})
    return str(caught.value)


def project(root: Path, toml: str) -> Path:
    (root / "pyproject.toml").write_text(f"[tool.certo]\n{toml}\n")
    return root


@pytest.mark.parametrize("key", KEYS)
def test_keys_are_refused_and_never_repeated(tmp_path, key):
    for sentence in (
        said(project(tmp_path, f'model.key_variable = "{key}"')),
        said(project(tmp_path, f'model.api_key = "{key}"')),
        said(project(tmp_path, f'nonsense.whatever = ["{key}"]')),
        said(project(tmp_path, ""), client={"model": {"baseUrl": key}}),
        said(tmp_path, environ={"CERTO_MODEL__NAME": key}),
        said(tmp_path, flags={"model.name": key}),
    ):
        assert "keys do not stand in settings" in sentence
        assert key not in sentence


def test_settings_named_like_keys_are_refused(tmp_path):
    sentence = said(project(tmp_path, 'models.fast.token = "hunter2"'))
    assert sentence.startswith("pyproject.toml [tool.certo] models.fast.token looks like a key")
    assert "hunter2" not in sentence


@pytest.mark.parametrize("words", NO_KEYS)
def test_texts_like_keys_are_taken(tmp_path, words):
    """URLs, model names and sentences may resemble keys."""
    loaded = read_settings(tmp_path, client={"criteria": {"own": {"expression": words}}}, environ={}, flags=None)
    assert loaded.problems == ()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('base_url = "https://evil.example.com/v1"', "may not choose the server your code and your key are sent to"),
        ('api_version = "2024-10-21"', "may not choose the server"),
        ('key_variable = "AWS_SECRET_ACCESS_KEY"', "may not choose which of your keys is sent"),
        ("output_dollars = 0.0\ninput_dollars = 0.0", "may not say what a model costs you"),
        ('name = "scripted:/home/ada/.netrc"', "may not choose a file that certo reads"),
    ],
)
def test_project_files_choose_no_servers_or_prices(tmp_path, line, why):
    for group in ("model", "models.fast"):
        assert why in said(project(tmp_path, f"[tool.certo.{group}]\n{line}"))


def test_project_files_name_models_but_no_scripts(tmp_path):
    line = 'generation.models = ["openai:gpt-5-mini", "scripted:/home/ada/.netrc"]'
    assert "may not choose a file that certo reads" in said(project(tmp_path, line))


@pytest.mark.parametrize(
    "line",
    [
        'search.replay = "~/.netrc"',
        'scripted.path = "/dev/zero"',
        'model.name = " scripted : /dev/zero"',
        'criteria.kind = {expression = "Is it kind?", model = "scripted:/dev/zero"}',
        'linear_search.idea_generation_model = "scripted:/dev/zero"',
        'llm_tree_search.idea_generation_model = "scripted:/dev/zero"',
        'llm_tree_search.idea_generation_ensemble_models = ["openai:gpt-5-mini", "scripted:/dev/zero"]',
    ],
)
def test_project_files_choose_no_file_to_read(tmp_path, line):
    assert "may not choose a file that certo reads" in said(project(tmp_path, line))


def test_project_files_choose_no_file_to_write(tmp_path):
    assert "may not have more than 200 calls made" in said(project(tmp_path, "search.calls = 201"))
    assert load_settings(project(tmp_path, ""), client=None, environ={}, flags=None).search.calls == 200
    assert load_settings(project(tmp_path, "search.calls = 20"), client=None, environ={}, flags=None).search.calls == 20
    assert "may not have more than 200 calls made" in said(project(tmp_path, 'search.calls = ""'))
    more = load_settings(project(tmp_path, ""), client={"search": {"calls": 5000}}, environ={}, flags=None)
    assert more.search.calls == 5000
    assert "may not choose a file that certo writes" in said(project(tmp_path, 'search.record = "~/.bashrc"'))


def test_project_files_may_configure_models(tmp_path):
    toml = 'model.name = "openai:gpt-5-mini"\nmodels.fast.name = "ollama:qwen3"\nmodels.fast.temperature = 0.5'
    loaded = read_settings(project(tmp_path, toml), client=None, environ={}, flags=None)
    assert loaded.problems == ()
    assert loaded.settings.model.name == "openai:gpt-5-mini"
    assert loaded.settings.models["fast"].temperature == 0.5


def test_users_may_set_everything_in_the_editor(tmp_path):
    model = {"name": "openai:m", "baseUrl": "http://127.0.0.1:8080/v1", "keyVariable": "MINE", "apiVersion": "v1"}
    loaded = read_settings(
        tmp_path,
        client={"model": {**model, "inputDollars": 1.0, "outputDollars": 2.0}, "search": {"record": "/tmp/r"}},
        environ={},
        flags=None,
    )
    assert loaded.problems == ()
    assert loaded.settings.model.key_variable == "MINE"


def test_options_that_contradict_each_other_are_named(tmp_path):
    assert "set both or neither" in said(tmp_path, client={"model": {"inputDollars": 1.0}})
    assert "search.record and search.replay contradict" in said(
        tmp_path, client={"search": {"record": "a", "replay": "b"}}
    )
    assert "models.fast: model.tries must be at least 1, not 0" in said(
        tmp_path, client={"models": {"fast": {"name": "ollama:q", "tries": 0}}}
    )
    assert "must not begin with CERTO_" in said(tmp_path, client={"model": {"keyVariable": "CERTO_KEY"}})


def test_samples_of_a_criterion_are_limited(tmp_path):
    line = 'criteria.kind = {expression = "Is it kind?", samples = 101}'
    assert "criteria.kind: samples must be from 1 to 100, not 101" in said(project(tmp_path, line))


@pytest.mark.parametrize(
    "line",
    [
        'search.strategy = "evil.module:Strategy"',
        'search.generator = "os:system"',
        'verify.plugins = ["tidy", "evil:verifier"]',
        'cost.plugins = ["evil:cost = 2"]',
        'executor.plugin = "tidy"',
    ],
)
def test_project_files_name_no_code_to_import(tmp_path, line):
    assert re.search("may not choose the (program certo starts|machines)", said(project(tmp_path, line)))
