// A verified winner as ghost text, which Tab accepts.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";

import type { Project } from "./project";
import { scripted } from "./script";
import { journey } from "./stage";
import { SEARCH, until } from "./waiting";

const FILE = "sizes.py";

const TEXT = `"""Sizes."""


def size(number):
    """The number without its sign.

    >>> size(-2)
    2
    """
    return number
`;

const TEST = `from sizes import size


def test_size() -> None:
    assert size(-3) == -3
`;

/** The file when the winner has been accepted. */
const DONE = TEXT.replace("return number", "return abs(number)");

const SIZES: Project = {
    name: "sizes",
    files: { [FILE]: TEXT, "pyproject.toml": '[project]\nname = "sizes"\nversion = "1"\n' },
};

const FUNCTION = TEXT.slice(TEXT.indexOf("def size")).trimEnd();

const SETTINGS = {
    ...scripted({ source: FUNCTION.replace("return number", "return abs(number)"), note: "abs" }),
    "certo.inlinePreview": true,
};

journey("preview", { projects: [SIZES], settings: SETTINGS }, async (window) => {
    const ghost = window.page.locator(".ghost-text-decoration, .ghost-text");
    await window.openFile(FILE, "return number");
    await window.step("the winner is shown in grey", async () => {
        await window.run("certo.start");
        await ghost.first().waitFor({ timeout: SEARCH });
    });
    await window.step("Esc hides it", async () => {
        await window.press("Escape");
        await until("no ghost text", async () => (await ghost.count()) === 0);
    });
    await window.step("Tab accepts it", async () => {
        await window.press("ArrowUp", "ArrowDown");
        await ghost.first().waitFor({ timeout: SEARCH });
        await window.press("Tab");
        await until("that it is verified", async () =>
            (await window.page.locator(".statusbar").allInnerTexts()).join().includes("verified"),
        );
        await window.save();
        assert.equal(window.saved(FILE), DONE);
    });
    await window.step("it is offered again when that is undone", async () => {
        await window.press("Control+Z", "ArrowUp", "ArrowDown");
        await ghost.first().waitFor({ timeout: SEARCH });
        await window.save();
        assert.equal(window.saved(FILE), TEXT);
    });
    await window.step("what is refused is taken out, and not offered again", async () => {
        // Another file says by now that the function is right as it was.
        writeFileSync(window.path("test_sizes.py"), TEST);
        await window.press("Tab");
        await window.toasts.filter({ hasText: "Nothing was changed" }).waitFor({ timeout: SEARCH });
        await until("no ghost text", async () => (await ghost.count()) === 0);
        await window.press("ArrowUp", "ArrowDown");
        await window.save();
        assert.equal(window.saved(FILE), TEXT);
        assert.equal(await ghost.count(), 0);
    });
});
