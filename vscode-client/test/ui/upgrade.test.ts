// A newer package over an earlier one: its server replaces the other, knows the searches of before, and removes it all.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { PREVIOUS_VSIX, VSIX } from "./places";
import { TILL } from "./project";
import { journey } from "./stage";
import { until } from "./waiting";
import type { Window } from "./window";

const FILE = "till/coins.py";
const BUG = "while due > coin:";

if (PREVIOUS_VSIX === undefined) {
    test("upgrade", { skip: "there is no earlier package; make first-contact builds one" });
} else {
    journey("upgrade", { projects: [TILL], newcomer: true, vsix: PREVIOUS_VSIX }, async (window) => {
        const { workbench } = window;
        assert.ok(VSIX !== undefined, "only with --vsix");

        await window.step("the earlier package repairs a function", async () => {
            await window.openFile(FILE, "change(due");
            await window.actions(/repair `change`/);
            await window.choose(/repair `change`/);
            await window.verified(FILE);
            await window.accept(FILE, BUG);
            await window.save();
        });
        const [before, ...others] = environments(window);
        assert.deepEqual(others, []);

        await window.step("the newer package sets up its own server", async () => {
            workbench.upgrade(VSIX ?? "");
            await window.page.reload();
            await window.openFile("till/basket.py", "loyalty_points(pence");
            const made = await until("an environment", () => environments(window).find((each) => each !== before));
            await window.daemon(made);
        });

        await window.step("searches of before are listed", async () => {
            await until("the search", async () => (await window.rows()).some((row) => row.includes("change")));
        });

        await window.step("one command removes everything", async () => {
            const made = environments(window).find((each) => each !== before) ?? "";
            const certo = ["-I", "-m", "certo", "privacy"];
            const python = join(made, "bin/python");
            assert.ok(workbench.run(python, certo).includes(workbench.storage));
            await window.killDaemon();
            assert.match(workbench.run(python, [...certo, "--delete-all", "--yes"]), /^deleted /);
            assert.ok(!existsSync(workbench.storage));
        });
    });
}

/** The environments that are whole: those that a record names. */
function environments({ workbench }: Window): string[] {
    const folder = join(workbench.storage, "servers");
    if (!existsSync(folder)) return [];
    const records = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return records.map((name) => (JSON.parse(readFileSync(join(folder, name), "utf8")) as { folder: string }).folder);
}
