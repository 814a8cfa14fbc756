// Nobody asks for anything: what a save has broken is repaired, offered over the function, and taken or dismissed.

import assert from "node:assert/strict";

import type { Project } from "./project";
import { journey } from "./stage";
import { SEARCH, until } from "./waiting";

const FILE = "sums.py";
const SUMS: Project = {
    name: "sums",
    files: {
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
        [FILE]: 'def double(n: int) -> int:\n    """Twice a number."""\n    return n + n\n',
        "test_sums.py": [
            "from sums import double",
            "",
            "",
            "def test_double() -> None:",
            "    assert [double(n) for n in (1, 5)] == [2, 10]",
            "",
        ].join("\n"),
    },
};

journey("ambient", { projects: [SUMS], settings: { "certo.ambient.enabled": true } }, async (window) => {
    await window.openFile(FILE, "+ n");
    await window.daemon();

    const write = async (sign: string): Promise<void> => {
        await window.goTo(3, 14);
        await window.press("Delete");
        await window.page.keyboard.type(sign);
        await window.save();
    };
    const offer = window.lens(FILE, /verified fix ready: line 3: n - n → n \+ n/);

    await window.step("a fix is offered over the function, and nowhere else", async () => {
        await write("-");
        await offer.waitFor({ timeout: SEARCH });
        assert.equal(await window.toasts.count(), 0);
        assert.equal(await window.lens(FILE, /^Retry/).count(), 0);
    });

    await window.step("the light bulb has it too", async () => {
        await window.goTo(3, 5);
        await window.actions(/accept the verified one-line fix: n - n → n \+ n/);
    });
    await window.press("Escape");

    await window.step("typing in the function withdraws it", async () => {
        await window.goTo(3, 17);
        await window.page.keyboard.type(" + 0");
        await offer.waitFor({ state: "detached" });
        assert.equal(await window.lens(FILE, /Dismiss/).count(), 0);
    });

    await window.step("the fix of the next save is taken", async () => {
        await window.save();
        await window.lens(FILE, /verified fix ready/).waitFor({ timeout: SEARCH });
        await window.lens(FILE, /^Accept/).click();
        await until("the code of the candidate", async () => !(await window.text(FILE)).includes("n - n + 0"));
        await window.lens(FILE, /verified fix ready/).waitFor({ state: "detached" });
    });
});
