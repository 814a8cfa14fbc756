// The projects that are opened: folders of their own, made anew for each window.

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { EXAMPLE } from "./places";

/** A folder to open: a copy of one that there is, or these files, or both. */
export interface Project {
    readonly name: string;
    readonly from?: string;
    readonly files?: Readonly<Record<string, string>>;
}

/** The project that comes with certo. `till/basket.py` has a hole, and `till/coins.py` a bug that tests show. */
export const TILL: Project = { name: "till", from: EXAMPLE };

/** The hole of `TILL` filled, as one would write it. */
export const POINTS = [
    "def loyalty_points(pence: int) -> int:",
    '    """The points for a purchase: 2 for every full 100 pence.',
    "",
    "    >>> loyalty_points(99)",
    "    0",
    "    >>> loyalty_points(100)",
    "    2",
    "    >>> loyalty_points(1999)",
    "    38",
    '    """',
    "    return 2 * (pence // 100)",
].join("\n");

/** Makes the folder of a project, and tells where it is. */
export function make(project: Project, within: string): string {
    const folder = join(within, project.name);
    mkdirSync(folder, { recursive: true });
    if (project.from !== undefined) {
        cpSync(project.from, folder, { recursive: true, filter: (path) => !path.includes("__pycache__") });
    }
    for (const [name, text] of Object.entries(project.files ?? {})) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
    }
    return folder;
}

/** A hole whose test never ends. */
export const SLOW: Project = {
    name: "slow",
    files: {
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
        "clock.py": 'def hours(minutes: int) -> int:\n    """Whole hours."""\n    raise NotImplementedError\n',
        "test_clock.py": [
            "import time",
            "",
            "from clock import hours",
            "",
            "",
            "def test_hours() -> None:",
            "    time.sleep(600)",
            "    assert hours(121) == 2",
            "",
        ].join("\n"),
    },
};
