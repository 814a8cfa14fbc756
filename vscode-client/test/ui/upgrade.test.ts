// A newer package over an earlier one: its server replaces the other, knows the searches of before, and removes it all.
// And what stays for some time where users update one of the two: the earlier package with the newer server, and the newer
// package with the earlier server.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { PREVIOUS_CERTO, PREVIOUS_VSIX, VSIX } from "./places";
import { TILL } from "./project";
import { journey } from "./stage";
import { until } from "./waiting";
import type { Window } from "./window";

const FILE = "till/coins.py";
const BUG = "while due > coin:";

if (PREVIOUS_VSIX === undefined || PREVIOUS_CERTO === undefined) {
    test("upgrade", { skip: "there is no earlier build; make first-contact makes one" });
} else {
    journey("upgrade-server", { projects: [TILL], vsix: PREVIOUS_VSIX }, repair);
    journey("upgrade-client", { projects: [TILL], settings: { "certo.server.command": PREVIOUS_CERTO } }, repair);
    journey("upgrade", { projects: [TILL], newcomer: true, vsix: PREVIOUS_VSIX }, async (window) => {
        const { workbench } = window;
        assert.ok(VSIX !== undefined, "only with --vsix");

        await repair(window);
        const [before, ...others] = environments(window);
        assert.deepEqual(others, []);

        let made = "";
        await window.step("the newer package sets up its own server", async () => {
            workbench.upgrade(VSIX ?? "");
            await window.page.reload();
            await window.openFile("till/basket.py", "loyalty_points(pence");
            made = await until("an environment", () => environments(window).find((each) => each !== before));
            await window.daemon(made);
        });
        const certo = (...words: string[]): string =>
            workbench.run(join(made, "bin/python"), ["-I", "-m", "certo", ...words]);

        await window.step("it knows the searches of before", () => {
            assert.match(certo("searches", "list"), /coins\.py::change/);
            return Promise.resolve();
        });

        await window.step("one command removes everything", async () => {
            assert.ok(certo("privacy").includes(workbench.storage));
            await window.killDaemon();
            assert.match(certo("privacy", "--delete-all", "--yes"), /^deleted /);
            assert.ok(!existsSync(workbench.storage));
        });
    });
}

async function repair(window: Window): Promise<void> {
    await window.step("a function is repaired", async () => {
        await window.openFile(FILE, "change(due");
        await window.actions(/repair `change`/);
        await window.choose(/repair `change`/);
        await window.verified(FILE);
        await window.accept(FILE, BUG);
        await window.save();
    });
}

/** The environments that are whole: those that a record names. */
function environments({ workbench }: Window): string[] {
    const folder = join(workbench.storage, "servers");
    if (!existsSync(folder)) return [];
    const records = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return records.map((name) => (JSON.parse(readFileSync(join(folder, name), "utf8")) as { folder: string }).folder);
}
