"""What every test may rely on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

_CORPUS = Path(__file__).parents[1].parent / "shared" / "data" / "hostile.json"

# How long an example takes says how busy the machine is, and nothing else.
settings.register_profile("certo", deadline=None)
settings.load_profile("certo")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the corpus of hostile candidates from wherever it is; it is kept beside the project, not in it."""
    parser.addoption(
        "--hostile-corpus",
        type=Path,
        default=_CORPUS if _CORPUS.is_file() else None,
        help="a JSON file of hostile candidates, with the project they are written for in hostile_project/ beside it",
    )


@pytest.fixture(scope="session", autouse=True)
def _journals_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no test write into the journals of whoever runs it, nor a process that a test starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def anyio_backend() -> str:
    """Run async tests on asyncio, which is what the daemon runs on."""
    return "asyncio"
