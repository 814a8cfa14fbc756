"""certo writes and repairs Python functions, and shows the evidence that they work.

What to call, each within `async def`, or as `wait(…)` in a program that is not asynchronous:

    async with Project("path") as project:              a project on disk
        await project.verify("shop.py::total")          judge a function as it is
        async with project.search("shop.py::total") as search:
            result = await search.result()              find a verified change; `search.apply` writes it
    await build(Specification(…))                       write a function, verified, ready to be called
    await LLM("openai:gpt-5-mini", output_schema=int)("How many?")
                                                        ask a language model for a value of a type
    Strategy(generate=…, verify=…, cost=…)              your own parts of a search
    Runtime(llm=…, settings={…})                        what all of these share

`docs/how-to/use-from-python.md` has examples, and `docs/reference/python` every name. In a shell, call `certo`.

A search starts from a *problem* (a stub, a function whose tests fail, or a function and an instruction). A *generator*
proposes *candidates*, *verifiers* judge each one, a *cost* ranks those that passed, a *strategy* decides what to try
next, and every step is told as an *event* until there is an *outcome*. Nothing is applied that was not verified on the
text it is applied to.

The packages, from the top down; each imports only packages below it (import-linter enforces this):

    pytest_plugin  `pytest --certo`
    cli            the terminal: generate, verify, searches, doctor, demo, schema, worker, serve
    agents         `certo mcp`: tools, resources and prompts for agents
    testing | generators | verifiers | executors | evaluators
                   contracts that plug-in authors run with pytest; what each kind of plug-in is written with
    api            Python: specifications, strategies and models; `from certo import …`
    daemon         the process: handshake, framing, sockets, lifecycle
    features       the editor: one file for each LSP feature and each group of `certo/*` requests
    sessions       live searches: from a request to an applied edit
    settings       the options of all packages: loaded, checked, documented
    strategies | knowledge | presentation
                   what to try next; what is known of a project; what a user reads
    search         the engine: budget, events, the state of a search, ranks
    generation | verification | costs
                   proposing, judging and pricing candidates; they do not know each other
    behaviour      how a function behaves: calls observed, generated, made in several versions, compared, minimised
    criteria | analysis
                   judgement in plain language, sampled from a model; static analysis of Python
    edits | llm | project | storage
                   texts and edits; language models; the user's project; journals of searches
    sandbox        runs untrusted code
    guests | plugins | concurrency | protocol
                   programs that run beside the user's code; parts found by name; task groups; wire models
    vocabulary     plain frozen values
"""

from __future__ import annotations

import importlib

__version__ = "0.1.0"

_EXPORTED = {
    "AICall": "certo.api.calls.call",
    "AIClassify": "certo.api.calls.kinds",
    "AIEmbed": "certo.api.calls.kinds",
    "AIExtract": "certo.api.calls.kinds",
    "AIGenerate": "certo.api.calls.kinds",
    "airetry": "certo.api.calls.retry",
    "AIScan": "certo.api.calls.kinds",
    "AllOf": "certo.criteria.combination",
    "Answered": "certo.llm.typed.typed_answer",
    "AnyOf": "certo.criteria.combination",
    "AttemptsFailed": "certo.vocabulary.errors",
    "BadRequest": "certo.vocabulary.errors",
    "BadSetting": "certo.vocabulary.errors",
    "BehaviourDiff": "certo.behaviour.diff",
    "BrokenWorld": "certo.vocabulary.errors",
    "Budget": "certo.vocabulary.cost",
    "BudgetExhausted": "certo.vocabulary.errors",
    "build": "certo.api.runtime",
    "Built": "certo.api.generated",
    "CallFailed": "certo.vocabulary.errors",
    "CertoError": "certo.vocabulary.errors",
    "CheckOrdering": "certo.verification.static.tool_calls",
    "Code": "certo.api.execution",
    "code_feedback": "certo.verification.code_feedback",
    "CodeCache": "certo.api.cache",
    "CodeExecutor": "certo.api.execution",
    "CodeFixer": "certo.api.calls.code_fixer",
    "CodeOutcome": "certo.verification.code_evaluation",
    "ConstantArguments": "certo.verification.static.tool_calls",
    "ContextLog": "certo.api.context_log",
    "ControlFlow": "certo.costs.control_flow",
    "CurrentTests": "certo.sessions.evidence.written_tests",
    "Declined": "certo.generation.generator",
    "EquivalenceVerifier": "certo.verification.equivalence",
    "error_feedback": "certo.verification.code_feedback",
    "evaluate_code": "certo.api.calls.code_fixer",
    "evaluate_condition": "certo.api.calls.retry",
    "evaluate_tests": "certo.api.calls.code_fixer",
    "Evaluation": "certo.verification.code_evaluation",
    "EvidenceLevel": "certo.vocabulary.evidence_level",
    "Example": "certo.api.specification",
    "Executed": "certo.api.execution",
    "Failed": "certo.api.adapters",
    "FoundChange": "certo.api.project_search",
    "generate": "certo.api.runtime",
    "Generated": "certo.api.generated",
    "GradedEvidence": "certo.vocabulary.evidence_level",
    "Image": "certo.llm.prompt",
    "IsFunction": "certo.verification.static.code_shape",
    "IsLoop": "certo.verification.static.code_shape",
    "LLM": "certo.api.language_model",
    "Message": "certo.llm.prompt",
    "ModelFailed": "certo.vocabulary.errors",
    "named_template": "certo.generation.prompt_templates",
    "print_samples": "certo.api.calls.samples",
    "Project": "certo.api.project",
    "ProjectSearch": "certo.api.project_search",
    "PromptTemplate": "certo.generation.prompt_templates",
    "QualitativeCriteria": "certo.criteria.qualitative",
    "QuantitativeCriteria": "certo.criteria.quantitative",
    "Report": "certo.vocabulary.verdict",
    "RetryConfig": "certo.api.calls.config",
    "RetryStrategy": "certo.api.strategy",
    "run": "certo.api.runtime",
    "Runtime": "certo.api.runtime",
    "SampleNode": "certo.api.calls.samples",
    "Sampling": "certo.llm.prompt",
    "SandboxedCode": "certo.api.execution",
    "score_feedback": "certo.verification.code_evaluation",
    "SearchResult": "certo.api.project_search",
    "select_best": "certo.search.node_selection",
    "SlidingWindow": "certo.llm.wrappers.compaction",
    "Specification": "certo.api.specification",
    "SpeedVerifier": "certo.verification.speed",
    "split_multi_samples": "certo.api.calls.turns",
    "StaleText": "certo.vocabulary.errors",
    "Strategy": "certo.api.strategy",
    "Summary": "certo.llm.wrappers.compaction",
    "TestStrength": "certo.vocabulary.strength",
    "ThompsonSampling": "certo.search.node_selection",
    "Tool": "certo.api.tools",
    "tool": "certo.api.tools",
    "Trace": "certo.api.tracing",
    "UCT": "certo.search.node_selection",
    "wait": "certo.api.runtime",
    "WeightedSum": "certo.criteria.combination",
}
"""Exported names, each with the module that is imported on first use."""

__all__ = ["__version__", *sorted(_EXPORTED)]


def __getattr__(name: str) -> object:
    """Return an exported object, importing its module."""
    if name not in _EXPORTED:
        raise AttributeError(f"module 'certo' has no attribute {name!r}")
    return getattr(importlib.import_module(_EXPORTED[name]), name)


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
