// The first repair of a new user: the package sets up its own server, and there is nothing else of certo on the machine.

import assert from "node:assert/strict";

import { VSIX } from "./places";
import { TILL } from "./project";
import { journey } from "./stage";

const FILE = "till/coins.py";
const BUG = "while due > coin:";

journey("newcomer", { projects: [TILL], newcomer: true }, async (window) => {
    assert.ok(VSIX !== undefined, "only with --vsix");

    await window.step("the server is set up", async () => {
        await window.openFile(FILE, "change(due");
        await window.actions(/repair `change`/);
        const { command } = await window.daemon();
        assert.match(command, /\/servers\//, "the server is the one that the package brought");
    });

    await window.step("a candidate is verified", async () => {
        await window.choose(/repair `change`/);
        await window.verified(FILE);
    });

    await window.step("it is accepted and saved", async () => {
        await window.accept(FILE, BUG);
        await window.save();
        assert.ok(!window.saved(FILE).includes(BUG));
    });
});
