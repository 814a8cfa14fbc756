"""certo: generate-with-verification for editors.

A search starts from a *problem* (a hole, a function whose tests fail, or a function and an instruction). A *generator*
proposes *candidates*, *verifiers* judge each one, a *cost* ranks those that passed, a *strategy* decides what to try
next, and every step is told as an *event* until there is an *outcome*. Nothing is applied that was not verified on the
text it is applied to.

The house, from the roof down; a room imports only the rooms below it (import-linter keeps it so):

    cli            the terminal's face: generate, verify, searches, doctor, demo, schema, worker, serve
    testing        what parts of each kind must do, for the authors of plug-ins
    api            Python's face: specifications, strategies and models; `from certo import …`
    daemon         the process: loop, transport, lifecycle
    features       the editor's face: one file per LSP feature
    sessions       one client's world: documents, live searches, assembly of the parts
    settings       composes the options the rooms declare
    strategies     what to try next, one file each
    search         the engine: budget, events, the board of what is known
    generation | verification | costs
                   who proposes, who judges, what it costs; neighbours that do not know each other
    criteria       judgement in plain language: sampled from a model, put together by votes or numbers
    edits | llm | project | storage
                   text and places in it; language models; interpreters, roots and tests of the user's project; what
                   outlives the process
    sandbox        runs what we do not trust
    worker | plugins
                   the program that runs beside the user's code; named things, built in or brought by others
    vocabulary | protocol
                   plain frozen values; what crosses the wire
"""

from __future__ import annotations

import importlib

__version__ = "0.1.0"

_EXPORTED = {
    "AICall": "certo.api.asking.call",
    "AIClassify": "certo.api.asking.kinds",
    "AIEmbed": "certo.api.asking.kinds",
    "AIExtract": "certo.api.asking.kinds",
    "AIGenerate": "certo.api.asking.kinds",
    "airetry": "certo.api.asking.retrying",
    "AIScan": "certo.api.asking.kinds",
    "AllOf": "certo.criteria.combination",
    "Answered": "certo.llm.structured",
    "AnyOf": "certo.criteria.combination",
    "AttemptsFailed": "certo.vocabulary.errors",
    "Budget": "certo.vocabulary.cost",
    "build": "certo.api.ways",
    "Built": "certo.api.built",
    "CallFailed": "certo.vocabulary.errors",
    "CertoError": "certo.vocabulary.errors",
    "CheckOrdering": "certo.verification.ordering",
    "Code": "certo.api.calling",
    "code_feedback": "certo.verification.code_feedback",
    "CodeCache": "certo.api.cache",
    "CodeExecutor": "certo.api.calling",
    "CodeFixer": "certo.api.asking.fixer",
    "CodeOutcome": "certo.verification.evaluation",
    "ConstantArguments": "certo.verification.constants",
    "ContextLog": "certo.api.context_log",
    "ControlFlow": "certo.costs.control_flow",
    "Declined": "certo.generation.generator",
    "error_feedback": "certo.verification.code_feedback",
    "evaluate_code": "certo.api.asking.code",
    "evaluate_condition": "certo.api.asking.retrying",
    "evaluate_tests": "certo.api.asking.code",
    "Evaluation": "certo.verification.evaluation",
    "Example": "certo.api.specification",
    "Executed": "certo.api.calling",
    "Failed": "certo.api.plugged",
    "generate": "certo.api.ways",
    "Generated": "certo.api.generated",
    "Image": "certo.llm.prompt",
    "IsFunction": "certo.verification.is_function",
    "IsLoop": "certo.verification.is_loop",
    "LLM": "certo.api.language_model",
    "Message": "certo.llm.prompt",
    "named_template": "certo.generation.named",
    "print_samples": "certo.api.asking.samples",
    "PromptTemplate": "certo.generation.named",
    "QualitativeCriteria": "certo.criteria.qualitative",
    "QuantitativeCriteria": "certo.criteria.quantitative",
    "RetryConfig": "certo.api.asking.config",
    "RetryStrategy": "certo.api.strategy",
    "run": "certo.api.ways",
    "Runtime": "certo.api.runtime",
    "SampleNode": "certo.api.asking.samples",
    "Sampling": "certo.llm.prompt",
    "SandboxedCode": "certo.api.calling",
    "score_feedback": "certo.verification.evaluation",
    "select_best": "certo.search.selecting",
    "SlidingWindow": "certo.llm.compaction",
    "Specification": "certo.api.specification",
    "split_multi_samples": "certo.api.asking.turns",
    "Strategy": "certo.api.strategy",
    "Summary": "certo.llm.compaction",
    "ThompsonSampling": "certo.search.selecting",
    "Tool": "certo.api.tools",
    "tool": "certo.api.tools",
    "Trace": "certo.api.tracing",
    "UCT": "certo.search.selecting",
    "wait": "certo.api.ways",
    "WeightedSum": "certo.criteria.combination",
}
"""What `from certo import …` offers, each with the module that is loaded when it is first wanted, and not before."""

__all__ = ["__version__", *sorted(_EXPORTED)]


def __getattr__(name: str) -> object:
    """What is exported under a name; its module is imported now."""
    if name not in _EXPORTED:
        raise AttributeError(f"module 'certo' has no attribute {name!r}")
    return getattr(importlib.import_module(_EXPORTED[name]), name)


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
