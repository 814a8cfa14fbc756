"""Guest program that runs tests and reports which lines of the project each executes."""

from __future__ import annotations

import importlib.util
import os
from typing import Any, Dict

from certo_worker.observation.clock import Clock
from certo_worker.observation.failure_text import Tell
from certo_worker.suite.pytest_run import arguments_of, make_importable, run_pytest
from certo_worker.suite.spectrum import Spectrum


def main(request: Dict[str, Any], tell: Tell) -> None:
    """Run the tests in `paths` (files or node ids, relative to `root`), except the ids in `skip`.

    `seconds` is the limit of one test, `total` that of all. `within` are the lines of interest by file, or null for
    all.
    """
    if importlib.util.find_spec("pytest") is None:
        tell({"kind": "no_pytest"})
        return
    root = os.path.abspath(request["root"])
    make_importable(root)
    from certo_worker.suite.spectrum_reporter import Spotter

    spotter = Spotter()
    spotter.look(
        tell,
        Spectrum(root, request["within"]),
        Clock(request["seconds"]),
        root=root,
        skipped=request["skip"],
        total=request["total"],
    )
    status = run_pytest(root, arguments_of(root, request["paths"]), spotter)
    tell({"kind": "suite_ended", "status": status})
