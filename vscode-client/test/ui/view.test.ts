// A search is watched: what is being written, the tree of candidates, and the score history.

import assert from "node:assert/strict";

import { historyIn, hindrances } from "./panel";
import { FILE, made, SPANS } from "./spans";
import { journey } from "./stage";
import { pause, SEARCH, until } from "./waiting";
import type { Window } from "./window";

/** What the model writes, one after the other: one that is wrong, and others that are right. */
const WRITTEN = [
    made("low = 1", "high = 5"),
    made("low = min(values)", "high = max(values)"),
    made("values = sorted(values)\n    low = values[0]", "high = values[-1]"),
];

/** How far the model is, and what it waits for. */
function begun() {
    return { asked: 0, readAlong: false, followed: false };
}

let writing = begun();

/** One candidate is written until it was read along. The others are silent until the lens was looked at. */
async function* model(): AsyncGenerator<string> {
    const number = writing.asked++;
    const code = `\`\`\`python\n${WRITTEN[number % WRITTEN.length] ?? ""}\n`;
    if (number === 0) yield code;
    while (!(number === 0 ? writing.readAlong : writing.followed)) {
        yield "\n";
        await pause(200);
    }
    yield number === 0 ? "```\n" : `${code}\`\`\`\n`;
}

/** All three, so that there is something to watch. */
const SETTINGS = {
    "certo.search.concurrency": 1,
    "certo.search.strategy": "retry",
    "certo.retry.firstTry": false,
    "certo.retry.numCandidates": 3,
    "certo.retry.maxIterations": 1,
};

const SCENE = { projects: [SPANS], model, settings: SETTINGS };

journey("view", SCENE, async (window) => {
    writing = begun();
    await window.openFile(FILE, "span(values)");
    const view = await window.view();
    const row = (words: string | RegExp) => view.locator(".monaco-list-row").filter({ hasText: words }).first();

    await window.step("there is nothing yet", async () => {
        await view.locator(".welcome-view-content").first().waitFor();
    });
    await window.step("a candidate is being written", async () => {
        await window.run("certo.start");
        await row("Writing").waitFor({ timeout: SEARCH });
    });
    await window.step("and can be read along", async () => {
        await row("return").click();
        const draft = window.page.locator('.monaco-editor[data-uri^="certo-draft:"] .view-lines').first();
        await until("the text of the draft", async () => (await draft.innerText()).includes("return"));
        writing.readAlong = true;
    });
    await window.step("what was written becomes the diff of its candidate", async () => {
        await window.page.locator(".monaco-diff-editor").first().waitFor({ timeout: SEARCH });
        await window.page.locator(".tab", { hasText: "being written" }).waitFor({ state: "detached" });
    });
    await window.step("the lens follows the search", async () => {
        await window.openFile(FILE, "span(values)");
        await window.lens(FILE, /candidate/).waitFor();
        await view.locator('[aria-label^="Candidate 1"]').first().waitFor({ timeout: SEARCH });
        // What the pointer rests on would be explained in the picture.
        await window.page.mouse.move(800, 600);
        await window.publish("running");
        writing.followed = true;
    });
    await window.step("a candidate has been verified", async () => {
        await view.locator('[aria-label*=", verified,"]').first().waitFor({ timeout: SEARCH });
    });
    await window.step("the search has ended", async () => {
        await window.verified(FILE);
        await window.lens(FILE, /^Stop/).waitFor({ state: "detached" });
    });
    await window.step("the hover has the evidence", async () => {
        await window.hover("doctests");
        await window.publish("hover");
    });
    await window.press("Escape");
    await look(window);
    await panel(window);
});

/** The tree with everything open, its tooltip and its menu. */
async function look(window: Window): Promise<void> {
    const view = await window.view();
    const row = (words: string) => view.locator(`.monaco-list-row[aria-label*="${words}"]`).first();

    await window.step("the verdicts of each candidate", async () => {
        await row(", verified,").locator(".monaco-tl-twistie").click();
        await row(", failed,").locator(".monaco-tl-twistie").click();
        await until("the verdicts", async () => (await view.locator(".monaco-list-row").count()) > 9);
        assert.ok((await window.rows()).some((each) => each.includes("failed")));
        await window.publish("view", { x: 5, y: 36, width: 343, height: 410 });
    });
    await window.step("the tooltip has the evidence", async () => {
        await row(", verified,").locator(".monaco-icon-label").hover();
        await window.page.locator(".monaco-hover:visible").filter({ hasText: "doctests" }).first().waitFor();
    });
    await window.step("the menu of a candidate", async () => {
        await row(", verified,").click({ button: "right" });
        await window.page.locator(".monaco-menu .action-item").first().waitFor();
    });
    await window.press("Escape");
}

/** The score history, by eye and by keys. */
async function panel(window: Window): Promise<void> {
    const { page } = window;
    await window.step("the score history", async () => {
        await window.run("certo.search.history");
        const frame = await historyIn(page);
        await window.publish("history");
        assert.deepEqual(await hindrances(frame), []);
    });
    await window.step("another candidate is chosen by a key", async () => {
        const frame = await historyIn(page);
        const title = frame.locator("#details-title");
        const before = await title.innerText();
        await frame.locator('[role=treeitem][tabindex="0"]').focus();
        await page.keyboard.press("ArrowUp");
        await until("another candidate", async () => (await title.innerText()) !== before);
    });
    await window.step("its diff opens with Enter", async () => {
        await page.keyboard.press("Enter");
        await page.locator(".monaco-diff-editor").first().waitFor();
    });
    await window.step("it is there again when the window was loaded anew", async () => {
        await window.run("certo.search.history");
        await historyIn(page);
        await window.loadAnew("mainThreadWebview-certo.history", "searchId");
        const title = (await historyIn(page)).locator("#details-title");
        await title.waitFor();
    });
}
