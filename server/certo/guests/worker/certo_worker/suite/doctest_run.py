"""Guest program that runs the doctest examples for the target and reports their results."""

from __future__ import annotations

import ast
import doctest
import io
import os
import socket
from functools import partial
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

from certo_worker.apart.remote_module import namespace_of
from certo_worker.apart.sides import candidate, judge
from certo_worker.canary.assertions import RUN, break_examples
from certo_worker.canary.judgements import BrokenOnPurpose
from certo_worker.mutation import mutants
from certo_worker.observation.case_record import CaseRecord
from certo_worker.observation.clock import SPELLED, Clock, TimeIsUp, passed, since
from certo_worker.observation.failure_text import Tell, message_of, shortened
from certo_worker.observation.tracing import Sight, watcher
from certo_worker.suite.doctest_examples import Equality, example_of, show_values_of
from certo_worker.suite.doctest_sources import PREFIX, Source, around, inside, paths_in
from certo_worker.suite.module_import import import_file
from certo_worker.suite.pytest_config import Configured
from certo_worker.suite.pytest_run import make_importable
from certo_worker.suite.suite import sight_of

__all__ = ["candidate", "main"]

# With these flags doctest would report nothing on the examples after a failure.
_QUIET = doctest.REPORT_ONLY_FIRST_FAILURE | doctest.FAIL_FAST


def main(request: Dict[str, Any], tell: Tell, peer: Optional[socket.socket] = None) -> None:
    """Run the examples for the target of `request`; those of one docstring or text file in order and in one namespace.

    `target` is as in the suite, with `qualname` too. Its own docstring is that of the function whose `def` is at `line`
    of `text`, which may differ from the module's: a candidate is judged by its original examples. Those in `given`
    follow, each with `id`, `source`, `expected` and `equals`. Without `ids`, those of the target's classes and module
    and of `documents` run as well. `ids` and `seconds` are as in the suite; examples in `skip` run without a report,
    because later ones build on them; those in `hung` do not run. `originals` are the texts of changed files.
    """
    target = request["target"]
    root = os.path.abspath(request["root"])
    file = os.path.join(root, target["file"])
    sources, chosen = _selected(request, tell, root)
    if not sources:
        return
    account = CaseRecord() if peer is not None or request.get("canary") else None
    if account is not None:
        judge(request, peer, account)
    if request.get("canary"):
        for source in sources:
            break_examples(source.test.examples)
    if request.get("wrong"):
        mutants.plant(request["wrong"], file)
    clock = Clock(request["seconds"])
    make_importable(root)
    if _import(file, target["file"], root, clock, tell) is None:
        return
    flags = sum(doctest.OPTIONFLAGS_BY_NAME.get(name, 0) for name in Configured(root).doctest_flags)
    names = {id(example): name for source in sources for example, name in zip(source.test.examples, source.ids)}
    runner = _Telling(tell, sight_of(request), clock, names, chosen, flags & ~_QUIET)
    runner.watch(account, broken=request.get("canary") is True)
    for source in sources:
        source.test.globs = {"__name__": "__main__"}
        if source.is_module:
            module = _import(os.path.join(root, source.path), source.path, root, clock, tell)
            if module is None:
                continue
            source.test.globs = namespace_of(module)
        runner.begin(source.test)
        runner.run(source.test, out=io.StringIO().write)
        runner.finish()
    clock.rest()


def _selected(request: Dict[str, Any], tell: Tell, root: str) -> Tuple[List[Source], Set[str]]:
    """Return the docstrings and files with chosen examples, and the ids of these, which are reported as collected."""
    left_out = set(request["skip"]) | set(request["hung"])
    sources: List[Source] = []
    chosen: List[str] = []
    for source in (*_own(request, tell, root), *_others(request, root)):
        of_it = [name for name in source.ids if name not in left_out and name in (request["ids"] or source.ids)]
        if of_it:
            sources.append(source)
            chosen += of_it
        for example, name in zip(source.test.examples, source.ids):
            # Nothing builds on what follows the last chosen one.
            is_needed = of_it and source.ids.index(name) <= source.ids.index(of_it[-1])
            if name in request["hung"] or not is_needed:
                example.options[doctest.SKIP] = True
    if chosen:
        tell({"kind": "collected", "ids": chosen})
    return sources, set(chosen)


def _own(request: Dict[str, Any], tell: Tell, root: str) -> Iterator[Source]:
    """Yield the examples of the target's own docstring with those that the user gave."""
    target = request["target"]
    docstring, line = _docstring(target["text"], target["line"])
    file = os.path.join(root, target["file"])
    try:
        test = doctest.DocTestParser().get_doctest(docstring, {}, target["qualname"], file, line - 1)
    except ValueError as error:
        tell({"kind": "uncollected", "path": target["file"], "message": "doctest cannot read it: " + str(error)})
        return
    ids = ["{}{}:{}".format(PREFIX, target["qualname"], line + example.lineno) for example in test.examples]
    for one in request.get("given", ()):
        test.examples.append(example_of(one["source"], one["expected"], equals=one["equals"]))
        ids.append(one["id"])
    yield Source(test, ids, target["file"], is_module=True)


def _others(request: Dict[str, Any], root: str) -> Iterator[Source]:
    """Yield the other docstrings and text files with the chosen examples, or all those that may concern the target."""
    target = request["target"]
    paths = set(request.get("documents", ())) if request["ids"] is None else paths_in(request["ids"])
    if request["ids"] is None and target["file"] not in paths:
        yield from around(target, root)
    for path in sorted(paths):
        if path == target["file"]:
            yield from inside(path, target["text"], root, target["line"])
            continue
        text = request.get("originals", {}).get(path)
        try:
            yield from inside(path, _read(os.path.join(root, path)) if text is None else text, root)
        except OSError:
            continue


def _read(file: str) -> str:
    with open(file, encoding="utf-8", errors="replace") as opened:
        return opened.read()


def _import(file: str, path: str, root: str, clock: Clock, tell: Tell) -> Any:
    """Return the module of a file, or None if it cannot be imported, which is reported."""
    clock.arm()
    try:
        return import_file(file, root)
    except BaseException as error:
        tell({"kind": "uncollected", "path": path, "message": message_of(error)})
        return None
    finally:
        clock.disarm()


def _docstring(text: str, line: int) -> Tuple[str, int]:
    """Return the docstring of the function whose `def` is at a line, and the line of its first character."""
    for node in ast.walk(ast.parse(text.encode("utf-8", "surrogatepass"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno == line and node.body:
            docstring = ast.get_docstring(node, clean=False)
            return docstring or "", node.body[0].lineno
    return "", line


class _Telling(doctest.DocTestRunner):
    """Doctest runner that reports each example when it is over."""

    def __init__(self, tell: Tell, sight: Sight, clock: Clock, names: Dict[int, str], chosen: Set[str], flags: int):
        super().__init__(verbose=False, optionflags=flags)
        self._tell = tell
        self._sight = sight
        self._watcher = watcher(sight)
        self._clock = clock
        self._names = names
        self._chosen = chosen
        self._current = ""
        self._began = 0.0
        self._reached = False
        self._alone = False
        self._account: Optional[CaseRecord] = None
        self._broken = False

    def watch(self, account: Optional[CaseRecord], *, broken: bool) -> None:
        """Keep a record of each example, which may be `broken` on purpose."""
        self._account = account
        self._broken = broken

    def begin(self, test: doctest.DocTest) -> None:
        """Begin with the examples of another docstring or file."""
        self._reached = False
        if self._broken:
            test.globs[RUN] = partial(self._run_broken, test.globs)

    def _run_broken(self, names: Dict[str, Any], source: str) -> None:
        """Run a broken example, and fail at its end if nothing was asserted in it."""
        exec(compile(source, "<example>", "single", dont_inherit=True), names)
        if self._account is not None and self._account.ends():
            raise BrokenOnPurpose("nothing is asserted")

    def report_start(self, _out: Any, test: doctest.DocTest, example: doctest.Example) -> None:
        """Start to watch an example; doctest calls this for those it does not skip."""
        self.finish()
        show_values_of(example, test.globs, broken=self._broken)
        self._alone = isinstance(example, Equality)
        self._current = self._names[id(example)]
        self._tell({"kind": "started", "id": self._current, "limit": self._clock.limit})
        self._sight.forget()
        if self._account is not None:
            self._account.begin()
            if self._broken and example.want:
                self._account.site()
        self._began = passed()
        self._clock.arm()
        self._watcher.start()

    def report_success(self, _out: Any, _test: doctest.DocTest, _example: doctest.Example, _got: str) -> None:
        """Report an example with the expected result."""
        self._end("passed", "")

    def report_failure(self, _out: Any, _test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        """Report an example with another result or exception than expected."""
        got = got.strip() or "nothing"
        verb = "gave"
        if example.exc_msg is not None and got.startswith("Traceback "):
            verb, got = "raised", got.splitlines()[-1]
            # doctest hands on an exception only as the text of its traceback where the example expects one.
            if got.startswith(SPELLED):
                self._hang(example, got[len(SPELLED) :])
                return
        wanted = (example.exc_msg or example.want).strip() or "nothing"
        self._end("failed", "{} {} {}, not {}".format(_source(example), verb, got, wanted))

    def report_unexpected_exception(
        self, _out: Any, _test: doctest.DocTest, example: doctest.Example, exc_info: Any
    ) -> None:
        """Report an example with an unexpected exception."""
        error = exc_info[1]
        if isinstance(error, TimeIsUp):
            self._hang(example, str(error))
        else:
            self._end("failed", "{} raised {}".format(_source(example), message_of(error)))

    def _hang(self, example: doctest.Example, message: str) -> None:
        self._clock.hung()
        self._end("failed", "{} {}".format(_source(example), message))

    def finish(self) -> None:
        """Report an example for which doctest itself called nothing."""
        if self._current:
            self._end("skipped", "")

    def _end(self, outcome: str, message: str) -> None:
        self._watcher.stop()
        self._clock.disarm()
        told, self._current = self._current, ""
        if not told or told not in self._chosen:
            return
        # Later examples look at the namespace that earlier ones leave, but an equality stands by itself.
        reached = self._sight.reached or (self._reached and not self._alone)
        self._reached = self._reached or reached
        self._tell(
            {
                "kind": "test",
                "id": told,
                "outcome": outcome,
                "message": shortened(message),
                "seconds": since(self._began),
                "where": "target" if self._sight.reached else "test",
                "line": None,
                "reached": reached,
                "touched": self._sight.touched,
                **({} if self._account is None else self._account.told()),
            }
        )


def _source(example: doctest.Example) -> str:
    return example.source.strip()
