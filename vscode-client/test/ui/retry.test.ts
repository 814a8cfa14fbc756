// A candidate is right and yet not what the user wants: examples and what they say of it decide what comes next.

import assert from "node:assert/strict";

import { POINTS, TILL } from "./project";
import { journey } from "./stage";
import { SEARCH } from "./waiting";

const FILE = "till/basket.py";
const WISH = "begin with the number of points";

/** What the model was asked. */
const questions: string[] = [];

function model(asked: string): string {
    questions.push(asked);
    const code = asked.includes(WISH) ? POINTS : POINTS.replace("2 * (pence // 100)", "pence // 100 * 2");
    return `Here it is.\n\n\`\`\`python\n${code}\n\`\`\`\n`;
}

journey("retry", { projects: [TILL], model }, async (window) => {
    questions.length = 0;
    await window.openFile(FILE, "loyalty_points(pence");

    await window.step("a candidate that passes", async () => {
        await window.actions(/implement .loyalty_points/);
        await window.choose(/implement .loyalty_points/);
        await window.verified(FILE);
        assert.ok(questions.length > 0 && !questions.some((each) => each.includes(WISH)));
    });

    await window.step("ways to retry", async () => {
        await window.run("certo.search.retry");
        await window.input.locator(".monaco-list-row", { hasText: "example" }).waitFor();
    });

    await window.step("an example that cannot be read stays to be mended", async () => {
        await window.answer("example", "example");
        await window.input.locator("input[placeholder*='==']").fill("loyalty_points(400");
        await window.press("Enter");
        await window.input.locator(".quick-input-message", { hasText: "cannot be read" }).waitFor();
    });

    await window.step("one that turns out to be none costs no candidate", async () => {
        await window.input.locator("input").fill("len('points') == 6");
        await window.press("Enter");
        await window.toasts.filter({ hasText: "does not run loyalty_points" }).waitFor({ timeout: SEARCH });
        await window.verified(FILE);
        await window.run("certo.search.retry");
        await window.answer("example", "example");
    });

    await window.step("the mended example counts", async () => {
        await window.input.locator("input").fill("loyalty_points(400) == 8");
        await window.press("Enter");
        await window.lens(FILE, /^Stop/).waitFor();
        await window.verified(FILE);
        assert.ok(questions.at(-1)?.includes("loyalty_points(400)"));
    });

    await window.step("the feedback is asked for", async () => {
        await window.run("certo.candidate.retry");
        await window.input.locator("input").fill(WISH);
    });

    await window.step("the candidate that was wished for", async () => {
        await window.press("Enter");
        await window.lens(FILE, /^Stop/).waitFor();
        await window.verified(FILE);
        await window.accept(FILE, "raise NotImplementedError");
        assert.ok((await window.text(FILE)).includes("return 2 * (pence // 100)"));
    });
});
