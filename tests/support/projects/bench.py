"""One folder for the projects of several tests, with the process that the tests of one after another start from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree

from certo.verification.dynamic.warm_pool import WarmPool
from certo.verification.options import TestOptions
from support.projects.projects import Project, write_project


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder that holds one project at a time, as if its user changed all of its files between two searches."""

    root: Path
    pool: WarmPool

    def project(
        self, files: Mapping[str, str], path: str, qualname: str, options: TestOptions | None = None
    ) -> Project:
        """Return a project of these files, in the place of the former one."""
        for place in self.root.iterdir():
            if place.is_dir():
                rmtree(place)
            else:
                place.unlink()
        write_project(self.root, files)
        options = options or TestOptions(seconds=5.0, total_seconds=40.0)
        return Project(self.root, path, qualname, options, pool=self.pool)
