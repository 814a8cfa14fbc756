"""A script that cannot be read as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.generation.generator import GeneratorContext
from certo.generation.scripted import ScriptedOptions, build
from certo.sandbox.local import LocalExecutor
from certo.sandbox.options import SandboxOptions
from certo.vocabulary.errors import BadSetting
from support.projects.projects import own_interpreter


def test_invalid_script_is_told_the_right_shape(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('[{"body": "return 1"}]', encoding="utf-8")
    context = GeneratorContext(
        executor=LocalExecutor(SandboxOptions()),
        interpreter=own_interpreter(),
        options=ScriptedOptions(path=str(script)),
    )
    with pytest.raises(BadSetting) as refused:
        build(context)
    assert str(script) in str(refused.value)
    assert "0.body" in str(refused.value)
    assert 'write [{"source": "def …"}, {"decline": "the reason"}]' in str(refused.value)
