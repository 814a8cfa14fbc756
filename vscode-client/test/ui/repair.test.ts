// A test fails: certo finds what it tests, and repairs it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";

import { PYTHON } from "./places";
import { TILL } from "./project";
import { journey } from "./stage";
import { SEARCH } from "./waiting";

const FILE = "till/coins.py";
const BUG = "while due > coin:";

const CHANGE = [
    "def change(due: int) -> list[int]:",
    '    """The fewest coins that make up the amount due, largest first.',
    "",
    "    A customer says the till kept 50p: no coin is given that is worth exactly what is due.",
    '    """',
    "    coins = []",
    "    for coin in COINS:",
    "        while due >= coin:",
    "            coins.append(coin)",
    "            due -= coin",
    "    return coins",
].join("\n");

const replies = [{ source: CHANGE.replace("due >= coin", "due > coin + 1") }, { source: CHANGE }];

journey("repair", { projects: [TILL], replies }, async (window) => {
    await window.openFile(FILE);
    await window.openFile("tests/test_coins.py", "test_one_coin_is_enough");

    await window.step("the repair is offered at the test", async () => {
        await window.actions(/test_one_coin_is_enough/);
    });

    await window.step("the function that is to blame is told", async () => {
        await window.choose(/test_one_coin_is_enough/);
        const told = window.toasts.filter({ hasText: "test_one_coin_is_enough" }).filter({ hasText: FILE });
        await told.waitFor({ timeout: SEARCH });
    });

    await window.step("one click leads to the function", async () => {
        await window.pressInMessage("Go to Function");
        await window.editor(FILE).locator(".view-line").first().waitFor();
    });

    await window.step("the function is repaired", async () => {
        await window.verified(FILE);
        await window.accept(FILE, BUG);
    });

    await window.step("the tests pass", async () => {
        await window.save();
        assert.ok(!window.saved(FILE).includes(BUG));
        execFileSync(PYTHON, ["-m", "pytest", "-q", "tests/test_coins.py"], { cwd: window.folders[0], stdio: "pipe" });
    });
});
