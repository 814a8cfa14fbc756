// A search is reviewed: candidates side by side with the document, by keys alone; one is accepted, and taken back.

import assert from "node:assert/strict";

import { journey } from "./stage";
import { DONE, FILE, SPANS, THREE } from "./spans";
import { SEARCH, until } from "./waiting";

/** A line of the candidate. In a narrow window, lines that it removes stand between them, and take no click. */
const LINE = ".monaco-diff-editor .editor.modified .lines-content > .view-lines > .view-line";

journey("review", { projects: [SPANS], settings: THREE }, async (window) => {
    const tab = window.page.locator(".tab.active");
    await window.openFile(FILE, "span(values)");
    const before = window.saved(FILE);

    await window.step("the search has ended", async () => {
        await window.run("certo.start");
        await until(
            "three candidates",
            async () => (await window.lenses(FILE).allInnerTexts()).some((each) => each.includes("Accept")),
            SEARCH,
        );
    });
    await window.step("the best candidate is shown against the document", async () => {
        await window.run("certo.search.review");
        await until("both sides", async () => {
            const { original, modified } = await window.diff();
            return original.includes("high = 0") && modified.includes("high = max(values)");
        });
        assert.match(await tab.innerText(), /span: candidate #\d of 3 ✓ 2\/2 tests/);
        await window.publish("diff");
    });
    await window.step("the next one by a key", async () => {
        await window.page.locator(LINE).first().click();
        await window.press("Alt+]");
        await until("the next candidate", async () => (await window.diff()).modified.includes("values[-1]"));
    });
    await window.step("and the one that failed says at what", async () => {
        await window.press("Alt+]");
        await until("the candidate that failed", async () => (await tab.innerText()).includes("✗"));
    });
    await window.step("around the end to the first", async () => {
        await window.press("Alt+]");
        await until("the best candidate", async () => (await window.diff()).modified.includes("high = max"));
    });
    await window.step("it is accepted by a key", async () => {
        await window.page.locator(LINE).first().click();
        await window.press("Control+Enter");
        await until(
            "the diff to be closed",
            async () => (await window.page.locator(".monaco-diff-editor").count()) === 0,
        );
        await until("the candidate in the text", async () => (await window.text(FILE)).includes("high = max"));
        assert.equal(window.saved(FILE), before, "it is not saved by us");
    });
    await window.step("and taken back in one step", async () => {
        await window.press("Control+Z");
        await until("the text as it was", async () => (await window.text(FILE)).includes("high = 0"));
        assert.doesNotMatch(await window.text(FILE), /min\(values\)/);
        await window.lens(FILE, /^Accept$/).waitFor();
        await window.lens(FILE, /^Retry/).waitFor();
    });
    await window.step("and put back and saved", async () => {
        await window.press("Control+Shift+Z");
        await until("the candidate in the text", async () => (await window.text(FILE)).includes("high = max"));
        await window.lens(FILE, /^Accept$/).waitFor({ state: "detached" });
        await window.save();
        assert.equal(window.saved(FILE), DONE);
    });
});
