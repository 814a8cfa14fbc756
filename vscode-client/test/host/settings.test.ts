// What the server gets to know of the editor's settings.

import assert from "node:assert/strict";

import { ConfigurationTarget, workspace } from "vscode";

import { SERVER_SETTINGS } from "../../src/settingNames";
import { serverSettings } from "../../src/settings";
import { open } from "./certo";

describe("settings", () => {
    it("are sent when somebody has set them, and else not", async () => {
        const { document } = await open("till/basket.py");
        const before = serverSettings(document.uri, SERVER_SETTINGS);
        assert.equal(before.tests, undefined);
        const section = workspace.getConfiguration("certo", document.uri);
        await section.update("tests.seconds", 7, ConfigurationTarget.Workspace);
        try {
            assert.deepEqual(serverSettings(document.uri, SERVER_SETTINGS), { ...before, tests: { seconds: 7 } });
        } finally {
            await section.update("tests.seconds", undefined, ConfigurationTarget.Workspace);
        }
    });
});
