"""The public names of certo exist, and importing certo loads none of them."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import certo

pytestmark = pytest.mark.acceptance(106)


@pytest.mark.parametrize("name", certo.__all__)
def test_exports_exist_and_are_documented(name: str) -> None:
    thing = getattr(certo, name)
    assert name == "__version__" or thing.__doc__


def test_type_checkers_see_same_names() -> None:
    stub = ast.parse(Path(certo.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    told = {alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert told | {"__version__"} == set(certo.__all__)


def test_what_is_not_offered_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Agent'"):
        certo.Agent  # noqa: B018 - asking is the test
    assert set(certo.__all__) <= set(dir(certo))


def loaded(statement: str, *of: str) -> set[str]:
    """Return which of these modules a fresh Python has loaded after a statement."""
    program = f"{statement}; import sys; print(*({set(of)!r} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=300)
    return set(ran.stdout.split())


def test_importing_certo_loads_nothing_heavy() -> None:
    assert loaded("import certo", "pydantic", "httpx2", "anyio", "rich", "typing_extensions") == set()


def test_naming_a_model_loads_no_search() -> None:
    heavy = ("httpx2", "pygls", "rich", "certo.settings.schema", "certo.search", "certo.sessions.live")
    assert loaded("from certo import LLM", "certo.api", *heavy) == {"certo.api"}
