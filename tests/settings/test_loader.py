"""Settings: who wins, setting by setting, and what is said of those that are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from certo.settings.loader import load_settings, read_settings
from certo.settings.schema import Settings
from certo.vocabulary.errors import BadSetting


def load(
    root: Path,
    *,
    client: dict[str, Any] | None = None,
    environ: dict[str, str] | None = None,
    flags: dict[str, Any] | None = None,
) -> Settings:
    return load_settings(root, client=client, environ=environ or {}, flags=flags)


def complaint(root: Path, **sources: Any) -> str:
    with pytest.raises(BadSetting) as caught:
        load(root, **sources)
    return str(caught.value)


def project_sets(root: Path, toml: str) -> Path:
    (root / "pyproject.toml").write_text(f"[tool.other]\nx = 1\n{toml}")
    return root


def test_without_any_source_the_defaults_hold(tmp_path: Path) -> None:
    assert load(tmp_path) == Settings()
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'p'\n")
    assert load(tmp_path, client={}, environ={"HOME": "/"}, flags={}) == Settings()


def test_each_source_wins_over_those_before_it(tmp_path: Path) -> None:
    sources: dict[str, Any] = {}
    seen = [load(tmp_path).search.candidates]
    project_sets(tmp_path, "[tool.certo]\nsearch.candidates = 11\n")
    seen.append(load(tmp_path).search.candidates)
    for name, value in (
        ("client", {"search": {"candidates": 12}}),
        ("environ", {"CERTO_SEARCH__CANDIDATES": "13"}),
        ("flags", {"search.candidates": 14}),
    ):
        sources[name] = value
        seen.append(load(tmp_path, **sources).search.candidates)
    assert seen == [64, 11, 12, 13, 14]


def test_sources_are_merged_setting_by_setting(tmp_path: Path) -> None:
    project_sets(tmp_path, "[tool.certo.search]\ncandidates = 11\nseed = 7\n[tool.certo.sandbox]\nprocesses = 9\n")
    settings = load(
        tmp_path,
        client={"search": {"seconds": 5}, "sandbox": {"memoryMebibytes": 512}},
        environ={"CERTO_SEARCH__SEED": "8"},
        flags={"search": {"full_report": True}},
    )
    search, sandbox = settings.search, settings.sandbox
    assert (search.candidates, search.seconds, search.seed, search.full_report) == (11, 5.0, 8, True)
    assert (sandbox.processes, sandbox.memory_mebibytes, sandbox.file_mebibytes) == (9, 512, 64)


def test_unset_values_hide_no_earlier_ones(tmp_path: Path) -> None:
    project_sets(tmp_path, "[tool.certo]\nsearch.seed = 7\n")
    settings = load(tmp_path, client={"search": {"seed": None}, "interpreter": None}, flags={"search.seed": None})
    assert settings.search.seed == 7


def test_certo_toml_counts_without_a_pyproject_table(tmp_path: Path) -> None:
    (tmp_path / "certo.toml").write_text("[search]\nseed = 5\n")
    assert load(tmp_path).search.seed == 5
    project_sets(tmp_path, "")
    assert load(tmp_path).search.seed == 5
    project_sets(tmp_path, "[tool.certo]\nsearch.seed = 6\n")
    assert load(tmp_path).search.seed == 6


@pytest.mark.parametrize("spelling", ["full_report", "fullReport", "full-report"])
def test_keys_have_three_spellings(tmp_path: Path, spelling: str) -> None:
    assert load(project_sets(tmp_path, f"[tool.certo.search]\n{spelling} = true\n")).search.full_report
    assert load(tmp_path, client={"search": {spelling: True}}).search.full_report
    assert load(tmp_path, client={f"search.{spelling}": True}).search.full_report


def test_text_stands_for_what_the_setting_holds(tmp_path: Path) -> None:
    environ = {
        "CERTO_SEARCH__SECONDS": "30",
        "CERTO_SEARCH__FULL_REPORT": "yes",
        "CERTO_RETRY__ACCEPT_COST_THRESHOLD": "2.5",
        "CERTO_POLICY__ALLOW": "os, json,",
        "CERTO_INTERPRETER": "3",
    }
    settings = load(tmp_path, environ=environ)
    assert (settings.search.seconds, settings.search.full_report) == (30.0, True)
    assert settings.retry.accept_cost_threshold == 2.5
    assert tuple(settings.policy.allow) == ("os", "json")
    assert settings.interpreter == "3"
    assert load(tmp_path, environ={"CERTO_RETRY__ACCEPT_COST_THRESHOLD": ""}).retry.accept_cost_threshold is None


def test_unknown_settings_get_a_suggestion(tmp_path: Path) -> None:
    assert (
        complaint(project_sets(tmp_path, "[tool.certo]\nsearch.secnods = 3\n"))
        == "pyproject.toml [tool.certo] search.secnods: unknown setting; did you mean search.seconds?"
    )
    (tmp_path / "pyproject.toml").unlink()
    assert (
        complaint(tmp_path, client={"search": {"fullreport": True}})
        == "the editor's setting certo.search.fullreport: unknown setting; did you mean certo.search.fullReport?"
    )
    assert (
        complaint(tmp_path, environ={"CERTO_SEARCH__SEDE": "1"})
        == "the environment variable CERTO_SEARCH__SEDE: unknown setting; did you mean CERTO_SEARCH__SEED?"
    )
    assert complaint(tmp_path, flags={"seed": 1}) == "seed: unknown setting; did you mean search.seed?"
    assert "unknown setting; there are interpreter, search, auto, retry" in complaint(tmp_path, client={"zzzzzz": 1})


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("soon", 'search.seconds = "soon": input should be a valid number'),
        (True, "search.seconds = true: input should be a valid number"),
        ([1], "search.seconds = [1]: input should be a valid number"),
        (float("inf"), "search.seconds = Infinity: input should be a finite number"),
        ("30", 'search.seconds = "30": input should be a valid number'),
    ],
)
def test_values_of_wrong_type_are_named(tmp_path: Path, value: object, reason: str) -> None:
    assert complaint(tmp_path, client={"search": {"seconds": value}}) == f"the editor's setting certo.{reason}"


def test_refused_values_are_named_with_their_source(tmp_path: Path) -> None:
    assert (
        complaint(tmp_path, environ={"CERTO_SEARCH__CANDIDATES": "0"})
        == "the environment: search.candidates must be at least 1, not 0"
    )


def test_the_editors_own_settings_are_ignored(tmp_path: Path) -> None:
    client = {"trace": {"server": "verbose"}, "server.path": "/opt/certo", "search": {"seed": 2}}
    assert load(tmp_path, client=client).search.seed == 2
    assert "trace.server: unknown setting" in complaint(project_sets(tmp_path, "[tool.certo]\ntrace.server = 'off'\n"))


def test_a_group_is_no_setting(tmp_path: Path) -> None:
    assert "certo.search: is a group of settings" in complaint(tmp_path, client={"search": 3})
    assert "sandbox: is a group" in complaint(project_sets(tmp_path, "[tool.certo]\nsandbox = 'all'\n"))
    assert load(tmp_path / "none", client={"search": {}}) == Settings()


def test_a_setting_is_no_group(tmp_path: Path) -> None:
    assert "search.seed.deep: unknown setting; did you mean" in complaint(tmp_path, client={"search.seed.deep": 3})


def test_all_problems_are_reported_the_rest_counts(tmp_path: Path) -> None:
    project_sets(tmp_path, "[tool.certo.search]\nseed = 3\ncandidates = 'x'\nnone = 1\n")
    loaded = read_settings(tmp_path, client={"search": {"seconds": 0}}, environ={}, flags=None)
    assert len(loaded.problems) == 3
    assert (loaded.settings.search.seed, loaded.settings.search.seconds) == (3, 60.0)
    assert loaded.origins == {"search.seed": "pyproject.toml [tool.certo]"}
    assert len(complaint(tmp_path, client={"search": {"seconds": 0}}).splitlines()) == 3


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[tool.certo\n", "pyproject.toml is not valid TOML: "),
        (b"# \xff\n", "pyproject.toml is not UTF-8 text (byte 2)"),
        (b"[tool]\ncerto = 3\n", "pyproject.toml [tool.certo]: must be a table of settings, not 3"),
        (b"[tool.certo]\nsearch.seed = 2026-01-01\n", 'search.seed = "2026-01-01": input should be a valid integer'),
    ],
)
def test_unreadable_files_are_named(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes(content)
    assert reason in complaint(tmp_path)


@pytest.mark.parametrize(
    ("toml", "objection"),
    [
        (
            "interpreter = 'bin/evil'",
            "a project's file may not choose the program certo starts; put it in your editor's",
        ),
        ("sandbox.isolation = 'process'", "a project's file may not take its own code out of the sandbox; put it in"),
        ("executor.cluster = 'tcp://evil:8786'", "a project's file may not choose the machines your files are sent to"),
        (
            "sandbox.allow_unsandboxed = true",
            "a project's file may not take its own code out of the sandbox; put it in",
        ),
    ],
)
def test_project_files_choose_nothing_certo_trusts(tmp_path: Path, toml: str, objection: str) -> None:
    project_sets(tmp_path, f"[tool.certo]\n{toml}\n")
    assert objection in complaint(tmp_path)
    loaded = read_settings(tmp_path, client=None, environ={}, flags=None)
    assert loaded.settings == Settings()


def test_the_user_may_choose_what_certo_trusts(tmp_path: Path) -> None:
    client = {"interpreter": "/usr/bin/python3", "sandbox": {"isolation": "process"}}
    settings = load(tmp_path, client=client)
    assert (settings.interpreter, settings.sandbox.isolation) == ("/usr/bin/python3", "process")
    assert (
        load(project_sets(tmp_path, "[tool.certo]\nsandbox.isolation = 'bubblewrap'\n")).sandbox.isolation
        == "bubblewrap"
    )


READABLE = "[tool.certo.criteria.easy-to-read]\nexpression = 'Is it easy to read?'\nsamples = 3\nmin_pass = 2\n"


def test_named_groups_are_merged_by_setting(tmp_path: Path) -> None:
    project_sets(tmp_path, f"{READABLE}[tool.certo.criteria.safe]\nexpression = 'Is it safe?'\n")
    criteria = load(
        tmp_path,
        client={"criteria": {"easy-to-read": {"minPass": 3}, "short": {"expression": "How short?", "kind": "score"}}},
        environ={"CERTO_CRITERIA__SAFE__SAMPLES": "5"},
    ).criteria
    assert list(criteria) == ["easy-to-read", "safe", "short"]
    assert (criteria["easy-to-read"].samples, criteria["easy-to-read"].min_pass) == (3, 3)
    assert (criteria["safe"].expression, criteria["safe"].samples, criteria["safe"].kind) == ("Is it safe?", 5, "gate")
    assert criteria["short"].kind == "score"
    assert load(tmp_path, client={"criteria.safe.samples": 2}).criteria["safe"].samples == 2


def test_the_environment_writes_underscores_for_hyphens(tmp_path: Path) -> None:
    project_sets(tmp_path, READABLE)
    off = {"CERTO_CRITERIA__EASY_TO_READ__KIND": "off"}
    criteria = load(tmp_path, environ=off).criteria
    assert [(name, each.kind) for name, each in criteria.items()] == [("easy-to-read", "off")]
    both = f"{READABLE}{READABLE.replace('easy-to-read', 'easy_to_read')}"
    project_sets(tmp_path, both)
    criteria = load(tmp_path, environ=off).criteria
    assert {name: each.kind for name, each in criteria.items()} == {"easy-to-read": "gate", "easy_to_read": "off"}
    project_sets(tmp_path, f"{READABLE}{READABLE.replace('easy-to-read', 'easy-to_read')}")
    assert complaint(tmp_path, environ=off).endswith("may mean easy-to-read or easy-to_read; rename one of them")
    wrong = {"CERTO_CRITERIA__EASY_TO_READ__KIN": "off"}
    project_sets(tmp_path, READABLE)
    assert "did you mean CERTO_CRITERIA__EASY_TO_READ__KIND?" in complaint(tmp_path, environ=wrong)


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ("[tool.certo.criteria.safe]\nsamples = 2", ": criteria.safe: expression is not set, and has to be"),
        (
            "[tool.certo.criteria.safe]\nexpression = 'Safe?'\nmin_pass = 2",
            ": criteria.safe: min_pass must be from 1 to samples, which is 1, not 2",
        ),
        (
            "[tool.certo.criteria.safe]\nexpression = 'Safe?'\nminimum = 3\nmaximum = 1",
            ": criteria.safe: minimum must be less than maximum, which is 1, not 3",
        ),
        (
            "[tool.certo.criteria.safe]\nexpression = ' '",
            ": criteria.safe: expression must say in words what is judged, and is empty",
        ),
        (
            "[tool.certo.criteria.safe]\nexpression = 'Safe?'\naggregation = 'mean'",
            " criteria.safe.aggregation = \"mean\": input should be 'avg', 'med', 'min' or 'max'",
        ),
        (
            "[tool.certo.criteria.safe]\nexpresion = 'Safe?'",
            " criteria.safe.expresion: unknown setting; did you mean criteria.safe.expression?",
        ),
        (
            "[tool.certo.criteria]\nsafe = 'Safe?'",
            " criteria.safe: is a group of settings and has no value of its own; one of them is "
            "criteria.safe.expression",
        ),
        (
            "[tool.certo]\ncriteria = 'Safe?'",
            " criteria: is a group of settings and has no value of its own; one of them is criteria.<name>.expression",
        ),
        (
            "[tool.certo.criteria.Safe]\nexpression = 'Safe?'",
            " criteria.Safe.expression: 'Safe' is no name for a group of settings; make it of small letters, digits, "
            "- and _",
        ),
        (
            "[tool.certo.criteria.'v1.5']\nexpression = 'Safe?'",
            " criteria.v1.5.expression: 'v1.5' is no name for a group of settings; make it of small letters, digits, "
            "- and _",
        ),
    ],
)
def test_problems_of_named_groups_have_their_place(tmp_path: Path, toml: str, said: str) -> None:
    assert complaint(project_sets(tmp_path, toml)) == f"pyproject.toml [tool.certo]{said}"


def test_a_wrong_group_spoils_no_other(tmp_path: Path) -> None:
    project_sets(tmp_path, f"{READABLE}[tool.certo.criteria.safe]\nsamples = 2\n")
    loaded = read_settings(tmp_path, client={"criteria": {"easy-to-read": {"minPass": 9}}}, environ={}, flags=None)
    assert loaded.problems == (
        "pyproject.toml [tool.certo]: criteria.safe: expression is not set, and has to be",
        "the editor's settings: criteria.easy-to-read: min_pass must be from 1 to samples, which is 3, not 9",
    )
    assert list(loaded.settings.criteria) == ["easy-to-read"]
    assert loaded.settings.criteria["easy-to-read"].min_pass == 2
    # What the editor set was refused, so it is not said to be in force from there.
    assert loaded.origins == {
        f"criteria.easy-to-read.{name}": "pyproject.toml [tool.certo]" for name in ("expression", "samples")
    }


@pytest.mark.parametrize("text", ["house:one, house:two", '["house:one", "house:two"]', '[ "house:one","house:two" ]'])
def test_environment_lists_use_commas_or_json(tmp_path: Path, text: str) -> None:
    assert load(tmp_path, environ={"CERTO_VERIFY__CUSTOM": text}).verify.custom == ("house:one", "house:two")
