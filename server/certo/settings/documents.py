"""What each setting does, in the words users read: in docs/reference/settings.md, in editors, in the JSON schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING
from typing import Any

from pydantic import TypeAdapter

from certo.settings.schema import GIVEN_NAME, NAME, Option, known_options

DESCRIPTIONS: Mapping[str, str] = {
    "interpreter": "The Python that runs the project's code: a program, or an environment's directory. Not set: certo "
    "looks for the project's own. Not allowed in a project's file.",
    "search.strategy": "Decides what to try next: `auto`, `retry`, `best_of` and `mcts` need nothing of a generator; "
    "`linear_search`, `llm_tree_search` and `fixer` make the most of a language model.",
    "search.generator": "Proposes the candidates: `builtin` needs no model, no account and no network; `model` has a "
    "language model write them.",
    "search.scope": "What a candidate may change: `function` is the one function it is about, `files` other Python "
    "files of the project as well, though never its tests; then all tests of the project judge it, not only those that "
    "reach the function. The built-in generator changes one function in any case.",
    "search.candidates": "How many candidates one search may judge.",
    "search.seconds": "How long one search may take, preparation included.",
    "search.calls": "How many calls of language models one search may make; a project's file may choose no more than "
    "as shipped.",
    "search.tokens": "How many tokens one search may have language models read and write. Not set: not limited.",
    "search.dollars": "How many dollars one search may cost. Not set: not limited. A model whose price is not known is "
    "not asked then.",
    "search.stop_at_score": "A strategy that compares candidates by their scores goes on until one that passes has "
    "this score. Not set: it ends with the first that passes.",
    "search.evaluator": "What scores candidates: an evaluator that an installed package brings (entry points "
    "`certo.evaluators`), by name, or as `module:attribute`, which a project's file may not name. "
    "Not set: the share of its checks that a candidate passed.",
    "search.maximize": "Whether more is better of what it measures.",
    "search.evaluator_policy": "When it fails or gives no finite number: `record` says so and leaves the score "
    "unknown, `raise` ends the search.",
    "search.record": "A file to which every question to a language model goes with its answer, as lines of JSON. Not "
    "allowed in a project's file.",
    "search.replay": (
        "Such a file, from which the same questions are answered again, with no model and no network. Not allowed in a "
        "project's file."
    ),
    "search.full_report": "Ask every verifier about a candidate even after one has failed it.",
    "search.compact": "Make the winner smaller: changes that its checks can do without are left out, and the target is "
    "formatted by the project's ruff. Each step is a candidate of its own, judged like any other.",
    "search.seed": "Makes every random choice of the generator; the same seed gives the same answer, if a model "
    "keeps to it.",
    "auto.num_candidates": "How many lanes are gone on with at once, at most 1,000; one makes the most of "
    "each call of a model, several have the answer sooner.",
    "retry.num_candidates": "How many lanes run in parallel, at most 1,000.",
    "retry.max_iterations": "How many tries a line has; each sees the line's own failures.",
    "retry.first_try": "Make one try alone before the lines start; it counts as the first try of each.",
    "retry.select": "`first` ends with the first candidate that passes, `cheapest` compares those of every line.",
    "retry.accept_cost_threshold": "When comparing: a candidate that costs this or less wins at once.",
    "retry.compare_cost_threshold": "When comparing: a candidate that costs this or less is a good one.",
    "retry.min_candidates_for_comparison": "When comparing: so many good candidates are enough; the rest is cancelled.",
    "best_of.num_candidates": "How many candidates are asked for at once, to take the best of them.",
    "linear_search.preset": "What those of these settings are that are not set: `MINIMAL` has 2 `code_debug_tries`, "
    "`PRODUCTION` 5.",
    "linear_search.code_debug_tries": "How often code that could not even be tried is mended.",
    "linear_search.idea_generation_model": "The language model that says what to try next. Empty: the one that writes.",
    "linear_search.parent_policy": "`best` goes on from the best experiment so far, `baseline` from the original text.",
    "llm_tree_search.preset": "What those of these settings are that are not set: few tries, many ideas refined, many "
    "experiments at once, or many ideas thought about (`MINIMAL`, `PRODUCTION`, `HEAVY_EXPERIMENTATION`, "
    "`HEAVY_THINKING`).",
    "llm_tree_search.reasoning_effort": "How hard the model is to think about ideas, in its provider's words.",
    "llm_tree_search.code_debug_tries": "How often code that could not even be tried is mended.",
    "llm_tree_search.node_expansion_limit": "How many ideas get new ones below them in each step; four times as many "
    "are there from the start.",
    "llm_tree_search.node_expansion_new_childs_count": "How many new ideas each of them gets.",
    "llm_tree_search.idea_generation_steps": "In how many rounds ideas are had, each refining the one before.",
    "llm_tree_search.first_experiment_factor": "How many times as many ideas and experiments there are the first time.",
    "llm_tree_search.experimentation_per_run": "How many experiments run in parallel.",
    "llm_tree_search.per_step_maximum_solution_count": "How many ideas one call may have at most.",
    "llm_tree_search.exploration_budget_percent": "From this percentage of the budget on, only what did best so far is "
    "gone on with.",
    "llm_tree_search.idea_generation_model": "The language model that chooses among ideas. Empty: the one that writes.",
    "llm_tree_search.idea_generation_ensemble_models": "The language models that have ideas, all of them each time. "
    "None: the one that writes.",
    "mcts.n_samples": "How many tries are under way at once.",
    "mcts.max_retries": "How many times as many may follow the first ones.",
    "mcts.max_calls": "How many tries there may be in all.",
    "mcts.retry_delay": "How long to wait before each try after the first, in seconds.",
    "mcts.scoring": "How the try to go on from is chosen.",
    "mcts.exploration": "For `UCT`: what a try counts for having seldom been gone on from.",
    "mcts.alpha": "For `ThompsonSampling`: how many successes are taken for granted.",
    "mcts.beta": "For `ThompsonSampling`: how many failures are taken for granted.",
    "mcts.ordering": "Of equally good tries `PostOrderDFS` takes the end of a branch, `PreOrderDFS` its beginning.",
    "mcts.feedback_inplace": "Say all feedback of a branch at once, in place of a conversation.",
    "mcts.widening": "How soon a try may be gone on from in another way: it may in this, times a power of its visits.",
    "mcts.widening_exponent": "That power. 0: always in the same number of ways.",
    "fixer.num_rounds": "How often a candidate is mended after the first try.",
    "fixer.template": "In which words: with a critique first (`CodeFixerRCI`), or in few.",
    "builtin.seconds": "How long the built-in generator searches, not counting what it waits for a processor.",
    "builtin.steps": "How many calls and turns of loops the candidates it tries may take together.",
    "builtin.candidates": "How many edits or expressions it tries at most.",
    "builtin.plausible": "It stops after so many different ones that pass the tests it runs for itself; they are "
    "compared, and at most five that act differently are shown.",
    "scripted.path": (
        'For the generator `scripted`: a JSON file with the list of replies, each `{"source": …}` or `{"decline": …}`. '
        "Not allowed in a project's file."
    ),
    "generation.models": "For the generator `model`: the language models that write candidates, taken in turn by the "
    "parallel lanes. None: the default one.",
    "generation.temperatures": "The temperatures they write at, from 0 to 2, taken in turn. None: the model's own.",
    "generation.hints": "Sentences that are added to the prompt, taken in turn, so that the lanes differ.",
    "generation.prompts": "A directory of the project with prompts in place of certo's own (`certo prompts`).",
    "generation.context_tokens": "How much of the file and of the tests a prompt shows, in tokens each.",
    "generation.related_tokens": "How much a prompt shows of what the function uses elsewhere, and of its "
    "calls, in tokens. 0: none is looked for.",
    "generation.memory_tokens": "How much a prompt shows of what is known of the project from its files and from "
    "earlier searches (`certo memory`), in tokens. 0: nothing, and no file is read for it.",
    "generation.conversation_tokens": "How long a prompt with all past tries may be, in tokens.",
    "memory.model": "The language model that is asked at the end of each search what it taught about the project, the "
    "default one where this is empty; claims that quote what is not in the files are dropped. Not set: none is asked.",
    "memory.repo_memory_failure_policy": "What follows when no answer of it can be used: `warn` says so, `fail` has "
    "the search fail.",
    "memory.repo_memory_max_retries": "How often it is asked again then, at most 10.",
    "journal.enabled": "Keep what happens in searches on this machine, so that a restart loses none of it.",
    "journal.prompts": "Keep as well what language models are asked and what they write.",
    "journal.days": "How long a search is kept, in days.",
    "experiments.keep": "Which candidates are kept as commits beside your repository, for `certo searches checkout`: "
    "`never` one, those that `passed`, or `all` that were judged.",
    "tests.seconds": "How long one test may take on a processor; one that sleeps or waits for something, three "
    "times as long.",
    "tests.total_seconds": "How long the tests of one candidate may take in all, not counting what they wait "
    "for a processor.",
    "tests.paths": "Test files and directories to run, relative to the root. None: those that reach the target.",
    "verify.types": "What checks a candidate's types: `auto` is mypy or pyright where the project configures it, "
    "else ty (the extra `certo[tools]`); a name insists on that, `off` is nothing.",
    "verify.lint": "What lints a candidate: `auto` is ruff or else flake8, where the project configures it; a name "
    "insists on that, `off` is nothing.",
    "verify.seconds": "How long such a tool may take over one text, on a processor; a tool that takes longer over the "
    "text as it is, is left out.",
    "verify.custom": 'Checks of your own, as `"module:function"` of the project, asked in this order: a function of '
    "the target's code that returns whether it passes, or that and a message. They run in the sandbox.",
    "verify.plugins": "Verifiers that installed packages bring (entry points `certo.verifiers`), by name, or as "
    "`module:attribute`, which a project's file may not name.",
    "policy.allow": "Modules a candidate may import although its file does not use them yet.",
    "cost.size": "The weight of the tokens added or removed. A candidate costs the sum of all these, each times its "
    "weight.",
    "cost.complexity": "The weight of the target's cognitive complexity (the extra `certo[tools]`).",
    "cost.runtime": "The weight of the seconds its tests took.",
    "cost.lint": "The weight of each thing the linter newly finds; with more than 0 such a thing has a price, and is "
    "no longer a reason to refuse a candidate.",
    "cost.control_flow": "The weight of the calls on the longest way through the target: `llm` 10, `search` 5, `read` "
    "and `write` 1, ten times that in a loop.",
    "cost.calls": 'What other calls count for `cost.control_flow`: `"fetch=5"`, or `"fetch"` for 1.',
    "cost.plugins": 'Costs that others bring (entry points `certo.costs`), each with its weight: `"name=2.5"`.',
    "sandbox.isolation": "`auto` takes the strongest that works here; `bubblewrap` and `process` (Landlock "
    "and seccomp, or Seatbelt, without namespaces) insist. A project's file may not choose `process`.",
    "sandbox.allow_unsandboxed": "Where nothing can confine a candidate, run it all the same instead of refusing. Not "
    "allowed in a project's file.",
    "sandbox.slots": "How many runs may go on at once. Not set: as many as there are processors, less one while an "
    "editor is attached.",
    "sandbox.memory_mebibytes": "How much memory a run may use, in MiB.",
    "sandbox.processes": "How many processes a run may have at once.",
    "sandbox.file_mebibytes": "How large a file a run may write, in MiB.",
    "sandbox.output_mebibytes": "How much a run may print, in MiB.",
    "executor.plugin": "An executor that an installed package brings (entry points `certo.executors`), by name, or as "
    "`module:attribute`, in place of the sandbox of this machine. Not allowed in a project's file.",
    "executor.cluster": "The address of a dask scheduler, as `tcp://host:8786`, on whose workers candidates and tests "
    "are run. Not set: on this machine. Not allowed in a project's file, and no more are the next three.",
    "executor.tls_ca": "For a scheduler that is reached by TLS: the file with the certificates to trust.",
    "executor.tls_cert": "For a scheduler that is reached by TLS: the file with certo's own certificate.",
    "executor.tls_key": "For a scheduler that is reached by TLS: the file with the key of that certificate.",
    "editor.inlay_hints": "Show the score of the best candidate as an inlay hint at its function. Counts from the next "
    "search on.",
    "editor.ask_when_done": "Ask what to do with what a search has found, in editors that can ask. Not set: not in "
    "those that take what is being typed for the answer (Neovim, Vim, Emacs, Helix).",
    "criteria.<name>.expression": "A criterion of your own, by a name of your own: what is judged, in plain words.",
    "criteria.<name>.kind": "`gate` asks whether it holds, and lets through what it holds for; `score` and `cost` ask "
    "for a number by which candidates are compared, of which more is better or less is; `off` leaves it out.",
    "criteria.<name>.samples": "How often the model is asked about one candidate, at most 100 times; all at once.",
    "criteria.<name>.min_samples": "How many of its answers have to be of use.",
    "criteria.<name>.min_pass": "For a gate: how many of its answers have to be in favour.",
    "criteria.<name>.aggregation": "For numbers: what is made of several, their average, median, minimum or maximum.",
    "criteria.<name>.minimum": "For numbers: the least there is.",
    "criteria.<name>.maximum": "For numbers: the most there is.",
    "criteria.<name>.weight": "For numbers: how many tokens of the edit one point counts as much as.",
    "criteria.<name>.sees": "What the judge is shown of a candidate: `code` is the target alone, `diff` the change, "
    "`file` the whole file, `instruction` what you asked for.",
    "criteria.<name>.model": "The model that judges, by the name it has in the settings. Not set: the default one.",
    "model.name": "The language model, as `provider:model`: `openai:gpt-5-mini`, `anthropic:claude-sonnet-4-5`, "
    "`ollama:qwen3`. Empty: none.",
    "model.base_url": "The address of a server other than the provider's own, as `http://127.0.0.1:8080/v1`. Not "
    "allowed in a project's file.",
    "model.key_variable": "The name of the model's key in the environment, the editor's secret storage and the "
    "keyring; never the key itself. Not set: the provider's usual one at its own address, none elsewhere. Not "
    "allowed in a project's file.",
    "model.api_version": "For Azure: the dated version of its API. Not allowed in a project's file.",
    "model.temperature": "How freely the model chooses its words, where certo does not say. Not set: as the server "
    "has it.",
    "model.max_tokens": "How long one answer may be, thinking included, where certo does not say. Not set: 4096.",
    "model.seconds": "How long one call may take.",
    "model.stall_seconds": "How long nothing may come of an answer, its first word included.",
    "model.tries": "How often a call is tried whose failure may pass.",
    "model.max_concurrency": "How many calls to the provider may be under way at once; fewer when it says that it is "
    "asked too much.",
    "model.requests_per_minute": "How many calls to the provider may begin in a minute.",
    "model.tokens_per_minute": "How many tokens may be sent to the provider and asked of it in a minute.",
    "model.input_dollars": "What the model costs, for a million tokens it reads. Not set: as its provider lists it. "
    "Not allowed in a project's file, and no more are the next two.",
    "model.cached_dollars": "The same for tokens that the provider has read before.",
    "model.output_dollars": "The same for tokens it writes.",
    "model.cache": "Keep answers in the user's cache directory, and give them again without asking when the same is "
    "asked again.",
    "models.<name>.name": "A further language model, by a name of your own; it has the same settings as `model`.",
    "models.<name>.base_url": "As `model.base_url`, for this model.",
    "models.<name>.key_variable": "As `model.key_variable`, for this model.",
    "models.<name>.api_version": "As `model.api_version`, for this model.",
    "models.<name>.temperature": "As `model.temperature`, for this model.",
    "models.<name>.max_tokens": "As `model.max_tokens`, for this model.",
    "models.<name>.seconds": "As `model.seconds`, for this model.",
    "models.<name>.stall_seconds": "As `model.stall_seconds`, for this model.",
    "models.<name>.tries": "As `model.tries`, for this model.",
    "models.<name>.max_concurrency": "As `model.max_concurrency`, for this model.",
    "models.<name>.requests_per_minute": "As `model.requests_per_minute`, for this model.",
    "models.<name>.tokens_per_minute": "As `model.tokens_per_minute`, for this model.",
    "models.<name>.input_dollars": "As `model.input_dollars`, for this model.",
    "models.<name>.cached_dollars": "As `model.cached_dollars`, for this model.",
    "models.<name>.output_dollars": "As `model.output_dollars`, for this model.",
    "models.<name>.cache": "As `model.cache`, for this model.",
}
"""One or two sentences for each setting, by its dotted name; a test keeps this complete."""


def settings_table() -> str:
    """Every setting as a Markdown table, for docs/reference/settings.md."""
    rows = [
        ("setting", "type", "default", "what it does"),
        ("---", "---", "---", "---"),
        *(
            (f"`{option.name}`", _type_in_words(option), _default_in_words(option), DESCRIPTIONS[option.name])
            for option in known_options().values()
        ),
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def json_schema() -> dict[str, Any]:
    """A JSON schema (draft 2020-12) of the settings as editors write them, in camelCase."""
    schema: dict[str, Any] = _empty_object()
    for option in known_options().values():
        *groups, last = option.wire_name.split(".")
        inner = schema
        for group in groups:
            if group == NAME:
                inner["propertyNames"] = {"pattern": f"^{GIVEN_NAME}$"}
                inner["additionalProperties"] = inner["additionalProperties"] or _empty_object()
                inner = inner["additionalProperties"]
            else:
                inner = inner["properties"].setdefault(group, _empty_object())
        inner["properties"][last] = option_schema(option)
        if option.default is MISSING:
            inner.setdefault("required", []).append(last)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "certo settings", **schema}


def option_schema(option: Option) -> dict[str, Any]:
    """The JSON schema of one setting."""
    adapter = TypeAdapter[Any](option.annotation)
    schema = {**adapter.json_schema(), "description": DESCRIPTIONS[option.name]}
    return (
        schema if option.default is MISSING else {**schema, "default": adapter.dump_python(option.default, mode="json")}
    )


def _empty_object() -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": {}}


_TYPE_WORDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}


def _type_in_words(option: Option) -> str:
    schema = TypeAdapter(option.annotation).json_schema()
    kinds = [kind for kind in schema.get("anyOf", (schema,)) if kind.get("type") != "null"]
    words = " or ".join(map(_kind_in_words, kinds))
    return f"{words}, or not set" if option.may_be_none else words


def _kind_in_words(kind: Mapping[str, Any]) -> str:
    if "enum" in kind:
        return ", ".join(f"`{value}`" for value in kind["enum"])
    if kind.get("type") == "array":
        return f"list of {_kind_in_words(kind['items'])}"
    return _TYPE_WORDS[kind["type"]]


def _default_in_words(option: Option) -> str:
    if option.default is None:
        return "not set"
    if option.default is MISSING:
        return "has to be set"
    return f"`{TypeAdapter[Any](option.annotation).dump_json(option.default).decode()}`"
