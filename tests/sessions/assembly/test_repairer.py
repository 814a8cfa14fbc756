"""Near misses are repaired for the generator that writes, whatever the settings call theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.generation.generator import Generator
from certo.generation.scripted import ScriptedGenerator
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.sessions.assembly.parts import repairer_of
from certo.settings.loader import load_settings
from support.models.model_generator import generator
from support.models.scripted_answers import Answers
from support.projects.bare_environment import bare_interpreter

MODEL = generator(Answers())
SCRIPT = ScriptedGenerator(())


@pytest.mark.parametrize(
    ("writer", "wanted", "repairs"), [(MODEL, True, True), (MODEL, False, False), (SCRIPT, True, False)]
)
@pytest.mark.parametrize("named", ["builtin", "model"])
def test_generator_in_use_decides(writer: Generator, wanted: bool, repairs: bool, named: str, tmp_path: Path) -> None:
    flags = {"search.generator": named, "builtin.near_misses": wanted}
    settings = load_settings(tmp_path, client=None, environ={}, flags=flags)
    made = repairer_of(settings, writer, LocalExecutor(SandboxOptions()), bare_interpreter())
    assert (made is not None) == repairs
