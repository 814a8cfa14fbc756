// A candidate that cannot be put in place is not: the file may not be written, or the function is another by now.

import assert from "node:assert/strict";

import { POINTS, TILL } from "./project";
import { journey } from "./stage";

const FILE = "till/basket.py";
const HOLE = "raise NotImplementedError";

journey(
    "refused",
    {
        projects: [TILL],
        replies: [{ source: POINTS }],
        settings: { "files.readonlyInclude": { "**/locked/**": true } },
    },
    async (window) => {
        await window.openFile(FILE, "loyalty_points(pence");

        await window.step("a candidate is verified", async () => {
            await window.actions(/loyalty_points/);
            await window.choose(/loyalty_points/);
            await window.verified(FILE);
        });

        await window.step("the function has become another", async () => {
            await window.openFile(FILE, HOLE);
            await window.press("Shift+End");
            await window.page.keyboard.insertText("return pence  # mine");
            await window.run("certo.candidate.accept");
            await window.toasts.first().waitFor();
            assert.match(await window.text(FILE), /return pence {2}# mine/);
        });
    },
);
