// A folder that is not trusted: nothing runs, until it is.

import assert from "node:assert/strict";

import { below } from "./processes";
import { TILL } from "./project";
import { journey } from "./stage";
import { pause } from "./waiting";

const FILE = "till/basket.py";

journey("untrusted", { projects: [TILL], trusted: false }, async (window) => {
    await window.step("the user does not trust the folder", async () => {
        await window.dialog.locator(".monaco-button", { hasText: /^No/ }).click();
        await window.openFile(FILE, "loyalty_points(pence");
    });

    await window.step("no server runs", async () => {
        await pause(3_000);
        assert.ok(!below(window.workbench.pid).some(({ command }) => command.endsWith(" serve")));
        await window.view();
    });

    await window.step("it runs as soon as the folder is trusted", async () => {
        await window.palette("Workspaces: Manage Workspace Trust");
        await window.page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).click();
        await window.openFile(FILE, "loyalty_points(pence");
        await window.daemon();
        await window.actions(/loyalty_points/);
    });
});
