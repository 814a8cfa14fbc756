// The suite of test/host, inside the extension host of a real VS Code.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import type { Page } from "playwright-core";

import { withBrowser } from "./browsers";
import { ARTEFACTS, CLIENT } from "./places";
import { make, POINTS, TILL } from "./project";
import { settingsOf } from "./stage";
import { JOURNEY } from "./waiting";
import { Workbench } from "./workbench";

interface Results {
    readonly tests: readonly { readonly fullTitle: string; readonly err: { readonly stack?: string } }[];
}

test("inside the extension host", { timeout: JOURNEY }, (suite) =>
    withBrowser(async (browser) => {
        const home = mkdtempSync(join(tmpdir(), "certo-ui-"));
        const scene = { projects: [TILL], replies: [{ source: POINTS }] };
        const workbench = await Workbench.start({
            home,
            port: browser.port,
            settings: settingsOf(home, "light", scene),
            trusted: true,
            extensions: ["neighbour", "python"].map((name) => join(CLIENT, "test/host", name)),
            path: process.env.PATH ?? "",
            installed: false,
        });
        try {
            await browser.page((page) => finished(page, workbench));
            const { tests } = JSON.parse(readFileSync(join(home, "suite.json"), "utf8")) as Results;
            assert.ok(tests.length > 0);
            for (const { fullTitle, err } of tests) {
                await suite.test(fullTitle, () => {
                    if (err.stack !== undefined) throw new Error(err.stack);
                });
            }
        } finally {
            workbench.keepLogs(join(ARTEFACTS, "screenshots", "light", "host", "logs"));
            await workbench.stop();
        }
    }),
);

/** Has the suite run, and waits for its end. */
async function finished(page: Page, workbench: Workbench): Promise<void> {
    const code = new Promise<number>((resolve) => {
        void page.exposeFunction("codeAutomationExit", resolve);
    });
    await page.exposeFunction("codeAutomationLog", (_kind: string, words: unknown[]) => {
        if (String(words[0]).startsWith("certo: ")) console.log(...words);
    });
    const at = (path: string): string => `vscode-remote://127.0.0.1:${workbench.port}${path}`;
    const address = workbench.address(make(TILL, join(workbench.home, "projects")), [
        ["extensionDevelopmentPath", at(CLIENT)],
        ["extensionTestsPath", at(join(CLIENT, "dist/test/host/index.js"))],
        ["skipWelcome", "true"],
    ]);
    await page.goto(address);
    await code;
}
