// Two candidates side by side, and one made of the hunks of two.

import assert from "node:assert/strict";

import type { Locator } from "playwright-core";

import { journey } from "./stage";
import { FILE, SPANS, THREE } from "./spans";
import { SEARCH, until } from "./waiting";

journey("compare", { projects: [SPANS], settings: THREE }, async (window) => {
    await window.openFile(FILE, "span(values)");
    await window.step("the search has ended", async () => {
        await window.run("certo.start");
        await until(
            "a verified candidate",
            async () => (await window.lenses(FILE).allInnerTexts()).some((each) => each.includes("Accept")),
            SEARCH,
        );
    });
    await window.step("another candidate is chosen", async () => {
        await window.run("certo.candidate.compare");
        await window.input.locator(".monaco-list-row", { hasText: "guessed" }).click();
        await until("both", async () => {
            const { original, modified } = await window.diff();
            return original.includes("low = min(values)") && modified.includes("low = 1");
        });
    });
    await window.step("yours is shown below, and the better one says why", async () => {
        const below = window.page.locator(".editor-group-container").nth(1);
        await below.locator(".view-line", { hasText: "low = 0" }).waitFor();
        const remarks = async (): Promise<string> => {
            const whole = await window.page
                .locator(".editor-group-container .view-lines")
                .evaluateAll((all) =>
                    all.flatMap((lines) =>
                        Array.from(lines.querySelectorAll("span"), (span) => getComputedStyle(span, "::after").content),
                    ),
                );
            return whole.join("\n").replaceAll("\u00a0", " ");
        };
        await until(
            "what each gives",
            async () => /"#\d: span\(.*→.*Recommended is #\d/u.test(await remarks()),
            SEARCH,
        );
        assert.match(await remarks(), /"Yours: span\(.*\) → /u);
    });
    await window.step("the message has a call, all three versions, and which is recommended", async () => {
        const said = window.toasts.filter({ hasText: "Recommended is #" });
        await said.filter({ hasText: "Your version gives" }).waitFor({ timeout: SEARCH });
    });
    await window.step("hunks of two candidates make another", async () => {
        const hunk = (text: string): Locator => window.input.locator(".monaco-list-row", { hasText: text });
        await window.openFile(FILE, "span(values)");
        await window.run("certo.candidate.mixHunks");
        await hunk("+ low = min(values)").click();
        await hunk("+ low = values[0]").click();
        await window.press("Enter");
        await until(
            "both hunks in a diff",
            async () => {
                const { modified } = await window.diff();
                return modified.includes("low = values[0]") && modified.includes("high = max(values)");
            },
            SEARCH,
        );
    });
    await window.step("it passed, and is accepted", async () => {
        assert.equal(window.saved(FILE).includes("low = values[0]"), false);
        await window.run("certo.candidate.accept");
        await until("the hunks in the text", async () => {
            const text = await window.text(FILE);
            return text.includes("low = values[0]") && text.includes("high = max(values)");
        });
    });
});
