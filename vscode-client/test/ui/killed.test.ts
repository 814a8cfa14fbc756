// The server dies as in a crash: it comes back, and with it the searches that it had.

import assert from "node:assert/strict";

import { POINTS, TILL } from "./project";
import { journey } from "./stage";
import { until } from "./waiting";

const FILE = "till/basket.py";
const HOLE = "raise NotImplementedError";

journey("killed", { projects: [TILL], replies: [{ source: POINTS }] }, async (window) => {
    await window.openFile(FILE, "loyalty_points(pence");

    await window.step("a candidate is verified", async () => {
        await window.actions(/loyalty_points/);
        await window.choose(/loyalty_points/);
        await window.verified(FILE);
    });

    await window.step("the server is back with its search", async () => {
        const old = await window.killDaemon();
        await until("another server", async () => (await window.daemon()).pid !== old.pid);
        await window.verified(FILE);
    });

    await window.step("its candidate can still be accepted", async () => {
        await until("the candidate's code", async () => {
            await window.accept(FILE, HOLE);
            return true;
        });
        await window.save();
        assert.ok(!window.saved(FILE).includes(HOLE));
    });
});
