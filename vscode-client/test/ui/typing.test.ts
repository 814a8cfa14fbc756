// The user types while a search runs, and goes on typing: what is accepted lands where the function is then.

import assert from "node:assert/strict";

import { POINTS, TILL } from "./project";
import { journey } from "./stage";
import { pause, until } from "./waiting";

const FILE = "till/basket.py";
const HOLE = "raise NotImplementedError";

/** True if the user has typed, which the model waits for: on a busy machine no number of seconds is enough. */
let typed = false;

async function* model(): AsyncGenerator<string> {
    while (!typed) {
        yield "\n";
        await pause(100);
    }
    yield `\`\`\`python\n${POINTS}\n\`\`\`\n`;
}

/** One candidate, so that the lens offers it from its verdict on. */
const SETTINGS = {
    "certo.search.strategy": "retry",
    "certo.retry.firstTry": false,
    "certo.retry.numCandidates": 1,
    "certo.retry.maxIterations": 1,
};

journey("typing", { projects: [TILL], model, settings: SETTINGS }, async (window) => {
    typed = false;
    await window.openFile(FILE, "loyalty_points(pence");

    await window.step("a line above while the search runs", async () => {
        await window.actions(/loyalty_points/);
        await window.choose(/loyalty_points/);
        await window.lens(FILE, /^Stop/).waitFor();
        await window.goTo(2);
        await window.page.keyboard.insertText("\n# Typed while it ran.\n");
        await window.goTo(30);
        typed = true;
    });

    await window.step("another when it has ended", async () => {
        await window.verified(FILE);
        await window.goTo(4);
        await window.page.keyboard.insertText("# Typed before it was accepted.\n");
        await window.goTo(31);
        await until("the line", async () => (await window.text(FILE)).includes("def loyalty_points"));
    });

    await window.step("the candidate lands in its function", async () => {
        await window.accept(FILE, HOLE);
        await window.save();
        const lines = window.saved(FILE).split("\n");
        assert.ok(lines.includes("# Typed while it ran."));
        assert.ok(lines.includes("# Typed before it was accepted."));
        assert.match(
            lines[lines.indexOf('    """', lines.indexOf("def loyalty_points(pence: int) -> int:")) + 1] ?? "",
            /return/,
        );
    });
});
