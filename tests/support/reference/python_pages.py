"""docs/reference/python: the public Python API, read from signatures and docstrings without importing any of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial

from griffe import (
    Alias,
    Attribute,
    Class,
    DocstringSection,
    DocstringSectionKind,
    Extension,
    Function,
    GriffeLoader,
    Module,
    Object,
    ParameterKind,
    Parameters,
    Parser,
    load_extensions,
)

from support.documents.pages import ROOT
from support.garbage import no_collection
from support.reference.markdown import code, fence, page, table

THEMES: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "generate": (
        "Generate functions",
        "Write a function from a specification, verify it, keep it and call it.",
        (
            *("Specification", "Example", "Strategy", "RetryStrategy", "Budget", "Runtime"),
            *("generate", "build", "run", "wait", "Generated", "Failed", "Declined", "Built", "CodeCache"),
        ),
    ),
    "project": (
        "Work on a project",
        "Search, verify, compare and test the functions of a project on disk.",
        (
            *("Project", "ProjectSearch", "SearchResult", "FoundChange", "Report", "TestStrength"),
            *("GradedEvidence", "EvidenceLevel"),
            *("BehaviourDiff", "CurrentTests"),
        ),
    ),
    "tools": (
        "Tools and sandboxed code",
        "Functions that generated code may call, and the sandbox in which code is called.",
        ("Tool", "tool", "Code", "CodeExecutor", "SandboxedCode", "Executed"),
    ),
    "models": (
        "Language models",
        "Ask a language model for text or for a value of a type, and keep what was said.",
        (
            *("LLM", "Answered", "Message", "Image", "Sampling", "PromptTemplate", "named_template"),
            *("SlidingWindow", "Summary", "ContextLog", "Trace"),
        ),
    ),
    "calls": (
        "Calls with retries",
        "Calls of a language model that can be run again with feedback, and the tree of their answers.",
        (
            *("AICall", "AIGenerate", "AIExtract", "AIClassify", "AIScan", "AIEmbed", "RetryConfig"),
            *("airetry", "evaluate_condition", "SampleNode", "print_samples", "split_multi_samples", "CodeFixer"),
            *("evaluate_code", "evaluate_tests", "UCT", "ThompsonSampling", "select_best"),
        ),
    ),
    "checks": (
        "Checks, criteria and costs",
        "What judges a candidate, and what it costs.",
        (
            *("QualitativeCriteria", "QuantitativeCriteria", "AllOf", "AnyOf", "WeightedSum", "ControlFlow"),
            *("IsFunction", "IsLoop", "CheckOrdering", "ConstantArguments"),
            *("EquivalenceVerifier", "SpeedVerifier"),
            *("Evaluation", "CodeOutcome", "code_feedback", "error_feedback", "score_feedback"),
        ),
    ),
    "errors": (
        "Errors",
        "Exceptions that a program may catch. Each message names the value and what to do.",
        (
            "CertoError",
            "BadRequest",
            "BadSetting",
            "StaleText",
            "BrokenWorld",
            "ModelFailed",
            "BudgetExhausted",
            "AttemptsFailed",
            "CallFailed",
        ),
    ),
    "testing": (
        "Contracts for plug-ins",
        "Test classes that the author of a plug-in runs with pytest: `from certo.testing import …`.",
        (
            *("CostContract", "EvaluatorContract", "ExecutorContract"),
            *("GeneratorContract", "StrategyContract", "VerifierContract"),
        ),
    ),
}
"""The pages: title, what they are about, and their names in the order of reading; each public name is on one."""

_ELSEWHERE = {"testing": "certo.testing"}
"""The modules that the names of a page are imported from, if it is not `certo` itself."""

_SEPARATED = (ParameterKind.keyword_only, ParameterKind.var_positional)


def python_pages() -> Mapping[str, Callable[[], str]]:
    """Return the writer of each page, by its name; the index has all names."""
    return {"index": _index, **{name: partial(_page, name) for name in THEMES}}


class _Dataclasses(Extension):
    """Has our own `dataclass` read as the standard library's, whose meaning it has."""

    def on_alias_instance(self, *, alias: Alias, **_: object) -> None:
        """Handle a name that a module imports."""
        if alias.target_path == "certo.vocabulary.records.dataclass":
            alias.target_path = "dataclasses.dataclass"


@cache
def _package() -> Module:
    logging.getLogger("griffe").setLevel(logging.CRITICAL)  # It warns of types that docstrings do not repeat.
    loader = GriffeLoader(
        search_paths=[ROOT / "server"],
        docstring_parser=Parser.google,
        allow_inspection=False,
        store_source=False,
        extensions=load_extensions(_Dataclasses()),
    )
    with no_collection():
        package = loader.load("certo")
        loader.resolve_aliases(implicit=True)
    assert isinstance(package, Module)
    return package


def _index() -> str:
    rows = [
        (
            f"[{title}]({name}.md)",
            about,
            ", ".join(f"[`{each}`]({name}.md#{_anchor(each, members)})" for each in members),
        )
        for name, (title, about, members) in THEMES.items()
    ]
    return page("Python API", "signatures and docstrings", table(("page", "about", "names"), rows))


def _page(name: str) -> str:
    title, about, members = THEMES[name]
    module = _package()[_ELSEWHERE[name].partition(".")[2]] if name in _ELSEWHERE else _package()
    found = {each: _target(module[each]) for each in members}
    entries = (_entry(object_, each, found) for each, object_ in found.items())
    return page(title, "signatures and docstrings", about, *entries)


def _target(found: Object | Alias) -> Object:
    return found.final_target if isinstance(found, Alias) else found


def _is_second(name: str, members: Iterable[str]) -> bool:
    """True if the page has a class of the same name but for its capital, whose anchor would be the same."""
    return name.islower() and name.capitalize() in members


def _anchor(name: str, members: Iterable[str]) -> str:
    return f"{name}-function" if _is_second(name, members) else name.lower()


def _entry(each: Object, name: str, page: Mapping[str, Object]) -> str:
    """Return one exported name: its signature, its docstring and, for a class, its members."""
    heading = f"## `{name}` function" if _is_second(name, page) else f"## `{name}`"
    parts = [heading, fence("python shown", _signature(each, name)), *_docstring(each)]
    if isinstance(each, Class):
        parts += _members(each, page)
    return "\n\n".join(parts)


def _members(owner: Class, page: Mapping[str, Object]) -> Iterator[str]:
    """Yield the public members of a class; those of a class that is on the same page are only referred to."""
    others = {each.path: name for name, each in page.items() if each is not owner}
    members = [_target(each) for name, each in owner.all_members.items() if name == "__call__" or name[0] != "_"]
    above = dict.fromkeys(others[each.parent.path] for each in members if each.parent and each.parent.path in others)
    if above:
        yield f"It also has the members of {' and '.join(f'[`{name}`](#{_anchor(name, page)})' for name in above)}."
    own = [each for each in members if each.parent is None or each.parent.path not in others]
    yield from _attributes([each for each in own if isinstance(each, Attribute)], owner)
    methods = [each for each in own if isinstance(each, Function) and each.docstring is not None]
    for each in methods:
        if not each.name.startswith("test_"):
            yield "\n\n".join(
                [f"### `{owner.name}.{each.name}`", fence("python shown", _signature(each)), *_docstring(each)]
            )
    tests = [(code(each.name), *_docstring(each)) for each in methods if each.name.startswith("test_")]
    if tests:
        yield table(("test", "what it is about"), tests)


def _attributes(attributes: Iterable[Attribute], owner: Class) -> Iterator[str]:
    """Yield attributes with a docstring, and those given when an object is made but not in its signature."""
    described = "dataclass" in owner.labels
    rows = [
        (code(_attribute(each)), " ".join(section.value for section in _texts(each)))
        for each in attributes
        if each.docstring is not None or (not described and each.annotation is not None and each.value is not None)
    ]
    if rows:
        yield table(("attribute", "what it is"), rows)


def _attribute(each: Attribute) -> str:
    annotated = f": {each.annotation}" if each.annotation is not None else ""
    return f"{each.name}{annotated}" + (f" = {each.value}" if each.value is not None else "")


def _signature(each: Object, name: str = "") -> str:
    """Return the signature on one line, or with a parameter on each if it is long."""
    name = name or each.name
    if isinstance(each, Class):
        made = list(_parameters(each.parameters)) if "__init__" in each.all_members else []
        head, returned = name if made else f"class {name}", ""
    elif isinstance(each, Function):
        made = list(_parameters(each.parameters))
        starred = "async def " if "async" in each.labels else "def "
        head, returned = f"{starred}{name}", f" -> {each.returns}" if each.returns is not None else ""
        if not made:
            return f"{head}(){returned}"
    else:
        return name
    line = f"{head}({', '.join(made)}){returned}" if made else f"{head}{returned}"
    return line if len(line) <= 100 else f"{head}(\n" + "".join(f"    {each},\n" for each in made) + f"){returned}"


def _parameters(parameters: Parameters) -> Iterator[str]:
    """Yield the parameters as they are written, without the one that stands for the object."""
    separated = False
    positional_only = False
    for each in parameters:
        if each.name in ("self", "cls"):
            continue
        if positional_only and each.kind is not ParameterKind.positional_only:
            yield "/"
        positional_only = each.kind is ParameterKind.positional_only
        if each.kind is ParameterKind.keyword_only and not separated:
            yield "*"
        separated = separated or each.kind in _SEPARATED
        star = {ParameterKind.var_positional: "*", ParameterKind.var_keyword: "**"}.get(each.kind, "")
        annotated = f": {each.annotation}" if each.annotation is not None else ""
        default = f" = {each.default}" if each.default is not None and not star else ""
        yield f"{star}{each.name}{annotated}{default if annotated else default.replace(' ', '')}"
    if positional_only:
        yield "/"


def _docstring(each: Object) -> Iterator[str]:
    """Yield the paragraphs of a docstring, and its Raises section as a list."""
    for section in each.docstring.parsed if each.docstring is not None else ():
        if section.kind is DocstringSectionKind.text:
            yield section.value
        elif section.kind is DocstringSectionKind.raises:
            raised = (f"- `{one.annotation}`: {' '.join(one.description.split())}" for one in section.value)
            yield "Raises:\n\n" + "\n".join(raised)
        else:
            raise ValueError(f"{each.path}: a section of the docstring that no page shows: {section.kind.value}")


def _texts(each: Object) -> Iterator[DocstringSection]:
    sections = each.docstring.parsed if each.docstring is not None else ()
    return (section for section in sections if section.kind is DocstringSectionKind.text)
