// The extension is there at once, and its server when it is.

import assert from "node:assert/strict";

import { activated, running, until } from "./certo";

describe("activation", () => {
    it("does not wait for the server", async () => {
        const begun = performance.now();
        const session = await activated();
        console.log(`certo: activated in ${(performance.now() - begun).toFixed(0)} ms`);
        assert.notEqual(session.daemon.state.kind, "running");
    });

    it("starts the server once for restarts that are asked for at the same time", async () => {
        const session = await running();
        const instances = new Set<string>();
        const listening = session.daemon.onDidChangeState((state) => {
            if (state.kind === "running") instances.add(state.instance);
        });
        await Promise.all([1, 2, 3].map(() => session.daemon.restart()));
        await until("the new server", () => session.daemon.state.kind === "running");
        listening.dispose();
        assert.equal(instances.size, 1);
    });
});
