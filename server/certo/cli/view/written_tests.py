"""Written tests in the terminal: each with its reason, and results that look wrong."""

from __future__ import annotations

from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from certo.cli.view.terminal import mark
from certo.presentation.written_tests import PRESENT, agreement_in_words, gain_in_words, reason_in_words, tests_in_words
from certo.vocabulary.display import one_line
from certo.vocabulary.written_tests import WrittenTests


def show_written_tests(written: WrittenTests, name: str, console: Console) -> None:
    """Print the tests written for the function `name`."""
    if not written.tests:
        console.print(Text.assemble((f"{mark('?', console)} ", "open"), one_line(written.reason)), soft_wrap=True)
    else:
        console.print(Text.assemble(("TESTS", "good"), f"  {tests_in_words(written)}\n"), soft_wrap=True)
    for number, test in enumerate(written.tests, 1):
        console.print(Text.assemble((f"{number:>3}. ", "quiet"), (test.name, "bold")), soft_wrap=True)
        console.print(Text(f"     {one_line(reason_in_words(test))}", "quiet"), soft_wrap=True)
        if test.doubt:
            console.print(Text(f"     not ticked: {one_line(test.doubt)}", "unsure"), soft_wrap=True)
        console.print(Syntax(_indented(test.source), "python", background_color="default", word_wrap=False))
    if written.tests:
        console.print(Text(one_line(gain_in_words(written))), soft_wrap=True)
    if written.agreement is not None:
        console.print(Text(one_line(agreement_in_words(written.agreement, name))), soft_wrap=True)
    for suspicious in written.suspicious:
        said = f"{one_line(suspicious.call)} {one_line(suspicious.result)}: {suspicious.why}"
        console.print(Text.assemble(("LOOKS WRONG", "bad"), f", and is not pinned:  {said}"), soft_wrap=True)
    for rejected in written.rejected:
        console.print(Text(f"left out {one_line(rejected)}", "quiet"), soft_wrap=True)
    if written.tests:
        console.print(Text(PRESENT.format(name=name)), soft_wrap=True)


def _indented(source: str) -> str:
    return "\n".join(f"     {line}" for line in source.splitlines())
