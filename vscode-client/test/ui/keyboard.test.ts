// The whole way with the keyboard, and no mouse.

import assert from "node:assert/strict";

import { POINTS, TILL } from "./project";
import { journey } from "./stage";
import { titleOf } from "./titles";
import { until } from "./waiting";

const FILE = "till/basket.py";
const HOLE = "raise NotImplementedError";

journey("keyboard", { projects: [TILL], replies: [{ source: POINTS }] }, async (window) => {
    const { page } = window;
    // Whoever points fails.
    await page.evaluate(() => {
        for (const kind of ["mousedown", "pointerdown", "click"]) {
            addEventListener(
                kind,
                (event) => {
                    if (event.isTrusted) document.body.dataset.pointed = kind;
                },
                true,
            );
        }
    });
    const command = async (title: string): Promise<void> => {
        await window.press("F1");
        await window.answer(`>${title}`);
    };

    await window.step("a search begins", async () => {
        await window.press("Control+P");
        await window.input.locator("input[type=text]").fill(FILE);
        // Enter opens what is found, which takes a moment.
        await window.input.locator(".monaco-list-row", { hasText: "basket.py" }).first().waitFor();
        await window.press("Enter");
        await window.editor(FILE).locator(".view-line").first().waitFor();
        await window.goTo(28, 5);
        await window.actions(/implement .loyalty_points/);
        await window.choose(/implement .loyalty_points/);
        await window.verified(FILE);
    });

    await window.step("the view has the focus, with its rows in words", async () => {
        await command("Certo: Focus on Searches View");
        await until("a row", async () => (await window.rows()).length > 0);
        await window.press("ArrowDown");
        for (const row of await window.rows()) assert.ok(row.length > 3, row);
    });

    await window.step("the candidate is accepted and saved", async () => {
        await window.press("Control+1");
        await command(titleOf("certo.candidate.accept"));
        await until("the code", async () => !(await window.text(FILE)).includes(HOLE));
        await window.save();
        assert.ok(!window.saved(FILE).includes(HOLE));
        assert.equal(await page.evaluate(() => document.body.dataset.pointed), undefined);
    });
});
