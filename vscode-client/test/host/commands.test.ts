// What package.json promises is there, and what is there has been promised.

import assert from "node:assert/strict";

import { commands, extensions } from "vscode";

import { OF_SERVER } from "../../src/commands";
import { running } from "./certo";

interface Manifest {
    readonly contributes: {
        readonly commands: readonly { readonly command: string }[];
        readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    };
}

/** Commands of the server whose results the server shows itself. */
const SHOWN = new Set(["certo.diff", "certo.tests", "certo.traceback"]);

describe("commands", () => {
    it("are registered if and only if package.json has them", async () => {
        await running();
        const { contributes } = extensions.getExtension("certo.certo")?.packageJSON as Manifest;
        const views = Object.values(contributes.views)
            .flat()
            .map(({ id }) => id);
        // VS Code has some for every view, and the language client those that the server names.
        const others = (name: string): boolean =>
            views.some((view) => name.startsWith(`${view}.`)) || Object.hasOwn(OF_SERVER, name) || SHOWN.has(name);
        const registered = (await commands.getCommands(true)).filter((name) => name.startsWith("certo."));
        assert.deepEqual(
            registered.filter((name) => !others(name)).sort(),
            contributes.commands.map(({ command }) => command).sort(),
        );
    });
});
