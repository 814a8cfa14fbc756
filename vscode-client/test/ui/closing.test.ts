// The window is closed in the middle of a search: the server is told so in time, and no process is left behind.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CERTO } from "./places";
import { below, living } from "./processes";
import { SLOW } from "./project";
import { journey } from "./stage";
import { until } from "./waiting";

const FILE = "clock.py";

/** A server that writes down in its home what it is told. */
const FOLDER = mkdtempSync(join(tmpdir(), "certo-listener-"));
const LISTENER = join(FOLDER, "certo");
writeFileSync(LISTENER, `#!/bin/sh\ntee -a "$HOME/heard" | '${CERTO}' "$@"\n`, { mode: 0o755 });
process.once("exit", () => {
    rmSync(FOLDER, { recursive: true });
});

journey("closing", { projects: [SLOW], settings: { "certo.server.command": LISTENER } }, async (window) => {
    await window.openFile(FILE, "hours");
    const daemon = await window.daemon();

    await window.step("tests are being run", async () => {
        await window.actions(/hours/);
        await window.choose(/hours/);
        await window.lens(FILE, /^Stop/).waitFor();
        await until("processes in the sandbox", () => below(daemon.pid).length > 2);
    });

    const started = new Set([daemon.pid, ...below(daemon.pid).map(({ pid }) => pid)]);
    await window.page.goto("about:blank");
    await until("the end of them all", () => !living(window.workbench.home).some(({ pid }) => started.has(pid)));
    const heard = readFileSync(join(window.workbench.home, "heard"), "utf8");
    assert.match(heard, /"method":"shutdown"/u);
    assert.match(heard, /"method":"exit"/u);
});
