// The user types while a search runs, and goes on typing: what is accepted lands where the function is then.

import assert from "node:assert/strict";

import { POINTS, TILL } from "./project";
import { journey } from "./stage";
import { until } from "./waiting";

const FILE = "till/basket.py";
const HOLE = "raise NotImplementedError";

journey("typing", { projects: [TILL], replies: [{ source: POINTS, delaySeconds: 3 }] }, async (window) => {
    await window.openFile(FILE, "loyalty_points(pence");

    await window.step("a line above while the search runs", async () => {
        await window.actions(/loyalty_points/);
        await window.choose(/loyalty_points/);
        await window.lens(FILE, /^Stop/).waitFor();
        await window.goTo(2);
        await window.page.keyboard.insertText("\n# Typed while it ran.\n");
        await window.goTo(30);
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
