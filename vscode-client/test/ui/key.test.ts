// A model with a key, from choosing it to the candidate it writes: the key goes to the provider, and stands in no file.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { TILL } from "./project";
import { providing } from "./provider";
import { journey } from "./stage";

const FILE = "till/basket.py";
const KEY = "sk-of-the-journey-4711";
const ANSWER = "```python\ndef loyalty_points(pence: int) -> int:\n    return pence // 100 * 2\n```\n";

journey("key", { projects: [TILL] }, (window) =>
    providing(ANSWER, async (address, questions) => {
        await window.openFile(FILE, "loyalty_points(pence");
        await window.daemon();

        await window.step("models to choose from", async () => {
            await window.run("certo.model.choose");
            await window.input.locator(".monaco-list-row", { hasText: "Built-in generator" }).waitFor();
        });
        await window.step("no address", async () => {
            await window.answer("", "Another server");
            await window.input.locator("input[placeholder^='http']").waitFor();
            await window.input.locator("input").fill("127.0.0.1:8080");
            await window.input.locator(".quick-input-message", { hasText: "http://" }).waitFor();
        });
        await window.step("the key is asked for", async () => {
            await window.answer(address);
            await window.input.locator("input[placeholder*='qwen']").waitFor();
            await window.answer("tiny");
            await window.input.locator("input[type=password]").fill(KEY);
        });
        await window.step("the model is chosen", async () => {
            await window.press("Enter");
            await window.toasts.filter({ hasText: "openai:tiny" }).filter({ hasText: "secret storage" }).waitFor();
        });
        await window.step("the model writes a candidate", async () => {
            await window.openFile(FILE, "loyalty_points(pence");
            await window.run("certo.start");
            await window.verified(FILE);
        });

        assert.equal(questions[0]?.authorization, `Bearer ${KEY}`);
        assert.match(questions[0].body, /"model":\s*"tiny"/u);
        for (const place of [".vscode-server", "projects", "state", "cache"].filter((each) =>
            existsSync(join(window.workbench.home, each)),
        )) {
            assert.deepEqual(filesWith(KEY, join(window.workbench.home, place)), []);
        }
    }),
);

/** The files below a folder in which a text stands. */
function filesWith(text: string, folder: string): string[] {
    const found: string[] = [];
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isFile() && readFileSync(path).includes(text)) found.push(path);
    }
    return found;
}
