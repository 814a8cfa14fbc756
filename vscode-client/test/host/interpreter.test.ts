// The interpreter that the user has chosen in the Python extension is the one that the project's code runs under.

import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

import { ConfigurationTarget, extensions, workspace } from "vscode";

import type { Session } from "../../src/session";
import { open, running, until } from "./certo";

interface Stub {
    readonly choose: (path: string) => void;
}

async function interpreter(session: Session, uri: string): Promise<string | undefined> {
    return (await session.daemon.ask("certo/environment", { uri })).interpreter?.executable;
}

describe("the interpreter", () => {
    it("of the Python extension is used, and followed when another is chosen", async () => {
        const session = await running();
        const { document } = await open("till/basket.py");
        const uri = document.uri.toString();
        const stub = await extensions.getExtension<Stub>("ms-python.python")?.activate();
        assert.ok(stub !== undefined);
        const own = await interpreter(session, uri);
        assert.ok(own !== undefined);
        const others = ["one", "other"].map((name) => join(homedir(), name));
        for (const other of others) {
            symlinkSync(own, other);
            stub.choose(other);
            await until(`the interpreter ${other}`, async () => (await interpreter(session, uri)) === other);
        }
        stub.choose("");
        await until("certo's own choice", async () => (await interpreter(session, uri)) === own);
    });

    it("of the settings comes before it", async () => {
        const session = await running();
        const { document } = await open("till/basket.py");
        const uri = document.uri.toString();
        const own = await interpreter(session, uri);
        assert.ok(own !== undefined);
        const set = join(homedir(), "set");
        symlinkSync(own, set);
        const section = workspace.getConfiguration("certo", document.uri);
        await section.update("interpreter", set, ConfigurationTarget.Global);
        try {
            const stub = await extensions.getExtension<Stub>("ms-python.python")?.activate();
            stub?.choose(own);
            await until("the interpreter of the settings", async () => (await interpreter(session, uri)) === set);
            stub?.choose("");
        } finally {
            await section.update("interpreter", undefined, ConfigurationTarget.Global);
        }
    });
});
