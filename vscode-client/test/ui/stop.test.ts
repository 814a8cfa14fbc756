// A search is stopped: everything that it has started is gone then.

import assert from "node:assert/strict";

import { below } from "./processes";
import { SLOW } from "./project";
import { journey } from "./stage";
import { until } from "./waiting";

const FILE = "clock.py";

/** Longer than a search goes on before a notification tells of it, in milliseconds. */
const PATIENCE = 3_000;

journey("stop", { projects: [SLOW] }, async (window) => {
    await window.openFile(FILE, "hours");
    const daemon = await window.daemon();
    const running = (): string[] => below(daemon.pid).map(({ command }) => command);

    await window.step("tests are being run", async () => {
        await window.actions(/hours/);
        await window.choose(/hours/);
        await window.lens(FILE, /^Stop/).waitFor();
        await until("processes in the sandbox", () => running().length > 0);
    });

    await window.step("nothing is left", async () => {
        await window.run("certo.search.stop");
        await window.lens(FILE, /^Stop/).waitFor({ state: "detached" });
        await window.lens(FILE, /^Resume/).waitFor();
        assert.deepEqual(running(), []);
    });

    await window.step("it goes on when that is wanted", async () => {
        await window.lens(FILE, /^Resume/).click();
        await window.lens(FILE, /^Stop/).waitFor();
        await until("processes in the sandbox once more", () => running().length > 0);
    });

    await window.step("while it is in sight, no notification tells of it", async () => {
        const told = window.toasts.filter({ hasText: "Searching for hours" });
        await window.page.waitForTimeout(PATIENCE);
        assert.equal(await told.count(), 0);
        await window.palette("View: Close All Editors");
        await told.first().waitFor();
        await window.openFile(FILE, "hours");
        await told.first().waitFor({ state: "detached" });
    });
});
