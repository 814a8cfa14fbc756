"""Builds real virtual environments for tests, without pip and without a package index."""

from __future__ import annotations

import sys
import venv
from pathlib import Path
from textwrap import dedent


def make_environment(place: Path, *distributions: str) -> Path:
    """Make a virtual environment with importable one-file distributions ("pytest==8.0.0"); return its Python."""
    builder = venv.EnvBuilder(symlinks=True, with_pip=False)
    builder.create(place)
    for link in (place / "bin" / "python", place / "bin" / "python3"):
        # Which of them leads to the other depends on how this Python was started, and tests take away either.
        real = link.resolve()
        link.unlink()
        link.symlink_to(real)
    (packages,) = place.glob("lib/python*/site-packages")
    for distribution in distributions:
        name, _, version = distribution.partition("==")
        (packages / f"{name}.py").write_text(f"__version__ = {version!r}\n")
        metadata = packages / f"{name}-{version}.dist-info" / "METADATA"
        metadata.parent.mkdir()
        metadata.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    return place / "bin" / "python"


def make_aged_python(place: Path, version: tuple[int, int, int]) -> Path:
    """Write a program that is this very Python but for the version it claims."""
    return make_program(
        place,
        f"""\
        #!{sys.executable}
        import sys
        sys.version_info = {version!r}
        program = sys.argv.index("-c")
        source = sys.argv[program + 1]
        sys.argv[:] = ["-c", *sys.argv[program + 2:]]
        exec(source)
        """,
    )


def make_program(place: Path, text: str) -> Path:
    """Write an executable script."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(dedent(text))
    place.chmod(0o755)
    return place
