// Tools as agents call them, in a real VS Code.

import assert from "node:assert/strict";

import { CancellationTokenSource, EventEmitter, LanguageModelTextPart, lm } from "vscode";
import type { CancellationToken } from "vscode";

import { mcpProvider } from "../../src/agents/mcpServer";
import { TOOLS } from "../../src/searches/calls";
import { running, until } from "./certo";

async function call(name: string, input: object, token?: CancellationToken): Promise<string> {
    const { content } = await lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
    return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : "")).join("");
}

describe("tools of agents", () => {
    it("are those of package.json", async () => {
        await running();
        const offered = lm.tools.map(({ name }) => name).filter((name) => name.startsWith("certo_"));
        assert.deepEqual(offered.sort(), [...TOOLS].sort());
    });

    it("judge a function in no editor, and show the call", async () => {
        const session = await running();
        const said = await call("certo_verify", { target: "till/coins.py::change" });
        assert.match(said, /does not pass/u);
        const [shown] = session.calls.all();
        assert.deepEqual([shown?.tool, shown?.state], ["certo_verify", "failed"]);
        assert.equal(shown?.report, said);
    });

    it("search, and the search is in the view", async () => {
        const session = await running();
        const said = await call("certo_repair", { target: "till/coins.py::change" });
        assert.match(said, /verified/u);
        assert.match(said, /```diff/u);
        const search = session.searches.all().find(({ qualname }) => qualname === "change");
        assert.ok(search?.mine);
        await session.searches.forget(search);
    });

    it("end their search when they are cancelled", async () => {
        const session = await running();
        const source = new CancellationTokenSource();
        const calling = call("certo_generate", { target: "till/basket.py::total", faster: true }, source.token);
        const ended = calling.then(
            () => true,
            () => true,
        );
        await until("a search", () => session.searches.all().some(({ qualname }) => qualname === "total"));
        source.cancel();
        assert.ok(await ended);
        await until("its end", () => session.searches.all().every(({ state }) => state === "stopped"));
    });

    it("refuse files that are in no folder of the window", async () => {
        await running();
        await assert.rejects(call("certo_verify", { target: "../../etc/x.py::f" }), /no file/u);
    });
});

describe("the server of agents", () => {
    it("is the program of the language server", async () => {
        const session = await running();
        const changed = new EventEmitter<void>();
        const token = new CancellationTokenSource().token;
        const provider = mcpProvider(session, changed);
        const [offered] = (await provider.provideMcpServerDefinitions(token)) ?? [];
        assert.ok(offered !== undefined);
        const server = await provider.resolveMcpServerDefinition?.(offered, token);
        assert.equal(server?.command, session.chooser.choice?.command);
        assert.ok(server?.args.includes("mcp"));
        changed.dispose();
    });
});
