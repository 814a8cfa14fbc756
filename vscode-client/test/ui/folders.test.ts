// Two folders in one window: what is set for one counts for its searches only.

import assert from "node:assert/strict";

import { POINTS, TILL } from "./project";
import { journey } from "./stage";

const HOLE = "raise NotImplementedError";
const OTHER = {
    name: "market",
    files: {
        ".vscode/settings.json": JSON.stringify({ "certo.search.generator": "builtin" }),
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
        "stall.py": `def double(number: int) -> int:\n    """Twice.\n\n    >>> double(4)\n    8\n    """\n    ${HOLE}\n`,
    },
};

journey("folders", { projects: [TILL, OTHER], replies: [{ source: POINTS }] }, async (window) => {
    await window.step("the first folder has the generator of the user", async () => {
        await window.openFile("till/basket.py", "loyalty_points(pence");
        await window.start("till/basket.py", /implement .loyalty_points/);
        await window.verified("till/basket.py");
        await window.accept("till/basket.py", HOLE);
        await window.save();
        assert.ok(window.saved("till/basket.py").includes("return 2 * (pence // 100)"));
    });

    await window.step("the second has its own", async () => {
        await window.openFile("stall.py", "double(number", 1);
        await window.start("stall.py", /implement .double/);
        await window.verified("stall.py");
        await window.accept("stall.py", HOLE);
        await window.save();
        assert.match(window.saved("stall.py", 1), /return (number|2)/);
    });
});
