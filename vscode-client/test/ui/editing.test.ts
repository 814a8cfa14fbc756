// A candidate is accepted in part, is refused in part, and is edited before it is accepted.

import assert from "node:assert/strict";

import { journey } from "./stage";
import { DONE, FILE, SPANS, THREE } from "./spans";
import { SEARCH, until } from "./waiting";

journey("editing", { projects: [SPANS], settings: THREE }, async (window) => {
    const edited = window.page.locator('.editor-instance .monaco-editor[data-uri^="certo-edit:"]');
    await window.openFile(FILE, "span(values)");
    const before = window.saved(FILE);

    await window.step("the search has ended", async () => {
        await window.run("certo.start");
        const accept = (): Promise<boolean> =>
            window
                .lenses(FILE)
                .allInnerTexts()
                .then((all) => all.some((each) => each.includes("Accept")));
        await until("three candidates", accept, SEARCH);
    });
    await window.step("its hunks are offered", async () => {
        await window.run("certo.candidate.acceptHunks");
        await until("two hunks", async () => (await window.input.locator(".monaco-list-row").count()) === 2);
    });
    await window.step("one that does not pass alone is refused", async () => {
        await window.input.locator(".monaco-list-row").last().click();
        await window.press("Enter");
        await window.toasts.filter({ hasText: "Nothing was changed" }).waitFor();
        assert.equal(window.saved(FILE), before);
        await window.palette("Notifications: Clear All Notifications");
    });
    await window.step("the candidate is opened to be edited", async () => {
        await window.run("certo.candidate.edit");
        await edited.locator(".view-line").first().waitFor();
    });
    await window.step("what is wrong is said when it is saved", async () => {
        await window.press("Home", "Shift+End");
        await window.page.keyboard.type("low = 7");
        await window.press("Control+S");
        await until("a verdict", async () =>
            (await edited.locator(".codelens-decoration").allInnerTexts()).join().includes("✗"),
        );
    });
    await window.step("it is all there when the window is loaded anew", async () => {
        await window.loadAnew("certo-edit:", "low = 7");
        await edited.locator(".view-line", { hasText: "low = 7" }).waitFor();
        await edited.locator(".view-line", { hasText: "low = 7" }).click();
        await until(
            "the search of it",
            async () => (await edited.locator(".codelens-decoration").allInnerTexts()).join().includes("Save"),
            60_000,
        );
    });
    await window.step("and what is right can be accepted", async () => {
        await window.press("Home", "Shift+End");
        await window.page.keyboard.type("low = min(values)");
        await window.press("Control+S");
        await until("a verdict", async () =>
            (await edited.locator(".codelens-decoration").allInnerTexts()).join().includes("Accept"),
        );
    });
    await window.step("it stays open when it cannot be accepted", async () => {
        await window.openFile(FILE, "low = 0");
        await window.press("Shift+End");
        await window.page.keyboard.insertText("low = -1");
        await window.openEdited();
        await window.press("Control+Enter");
        await window.toasts.filter({ hasText: "Nothing was changed" }).waitFor({ timeout: 60_000 });
        await window.palette("Notifications: Clear All Notifications");
        assert.equal(await edited.count(), 1);
        await window.openFile(FILE, "low = 0");
        await window.palette("File: Revert File");
        await until("the text as it was", async () => (await window.text(FILE)).includes("low = 0"));
        await window.openEdited();
    });
    await window.step("it is accepted by a key", async () => {
        await window.press("Control+Enter");
        await until("the candidate in the text", async () => (await window.text(FILE)).includes("low = min(values)"));
        await until("the edited text to be closed", async () => (await edited.count()) === 0);
        await window.save();
        assert.equal(window.saved(FILE), DONE);
    });
});
