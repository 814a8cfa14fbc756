// A hole is implemented: a candidate comes and is looked at and accepted, and the project's own tests pass.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";

import { PYTHON } from "./places";
import { TILL } from "./project";
import { journey } from "./stage";
import { until } from "./waiting";

const FILE = "till/basket.py";
const HOLE = "raise NotImplementedError";

journey("hole", { projects: [TILL] }, async (window) => {
    await window.openFile(FILE, "loyalty_points(pence");

    await window.step("the action is offered", async () => {
        await window.actions(/loyalty_points/);
    });

    await window.step("the search runs", async () => {
        await window.choose(/loyalty_points/);
        await window.lens(FILE, /^Stop/).waitFor();
    });

    await window.step("a candidate is verified", async () => {
        await window.verified(FILE);
        assert.ok((await window.text(FILE)).includes(HOLE));
    });

    await window.step("the hover has the evidence", async () => {
        const card = await window.hover("doctests");
        assert.match(card, /tests \d+\/\d+/);
    });

    await window.step("a candidate is accepted", async () => {
        await window.press("Escape");
        await window.accept(FILE, HOLE);
    });

    await window.step("one undo takes it back", async () => {
        await window.press("Control+Z");
        await until("the hole", async () => (await window.text(FILE)).includes(HOLE));
        await window.press("Control+Shift+Z");
        await until("the code once more", async () => !(await window.text(FILE)).includes(HOLE));
    });

    await window.step("the file is saved and its tests pass", async () => {
        assert.ok(window.saved(FILE).includes(HOLE), "nothing was saved before the user did");
        await window.save();
        assert.ok(!window.saved(FILE).includes(HOLE));
        execFileSync(PYTHON, ["-m", "pytest", "-q", "--doctest-modules", "tests/test_basket.py", FILE], {
            cwd: window.folders[0],
            stdio: "pipe",
        });
    });
});
