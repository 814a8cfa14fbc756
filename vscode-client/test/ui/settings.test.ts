// Settings: their page; defaults that leave a project its own; and one that is changed counts from the next search on, in its folder alone.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import type { Project } from "./project";
import { journey } from "./stage";
import { SEARCH, until } from "./waiting";
import type { Window } from "./window";

const HOLE =
    'def NAME(number: int) -> int:\n    """Twice.\n\n    >>> NAME(4)\n    8\n    """\n    raise NotImplementedError\n';

/** A project of one function in one file, which both have the project's name. */
function project(name: string, settings = ""): Project {
    const pyproject = `[project]\nname = "${name}"\nversion = "1"\n${settings}`;
    return { name, files: { [`${name}.py`]: HOLE.replaceAll("NAME", name), "pyproject.toml": pyproject } };
}

/** The projects: one has a setting of its own, which nothing but an error comes of, and one has none. */
const WRITTEN = project("written", '[tool.certo.search]\ngenerator = "of-the-project"\n');
const PLAIN = project("plain");

/** Starts a search, and waits until it is said that there is no generator of a name. */
async function startInVain(window: Window, generator: string): Promise<void> {
    await window.run("certo.start");
    await window.toasts.filter({ hasText: generator }).first().waitFor({ timeout: SEARCH });
}

journey("settings", { projects: [WRITTEN, PLAIN] }, async (window) => {
    await window.step("the settings have a page", async () => {
        await window.run("certo.openSettings");
        await window.page.locator(".settings-editor .setting-item").first().waitFor();
    });

    await window.step("a default of VS Code leaves the project its own setting", async () => {
        await window.openFile("written.py", "written(");
        await startInVain(window, "of-the-project");
    });

    await window.step("a setting of a folder counts in its next search", async () => {
        const file = window.path(".vscode/settings.json", 1);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, JSON.stringify({ "certo.search.generator": "of-the-folder" }));
        await window.openFile("plain.py", "plain(", 1);
        // The folder is watched, and a change is heard of a moment later.
        await until("the setting counts", async () => {
            await window.run("certo.start");
            const told = window.toasts.filter({ hasText: "of-the-folder" }).first();
            return await told.waitFor({ timeout: 10_000 }).then(
                () => true,
                () => false,
            );
        });
    });

    await window.step("and without it that of everybody does", async () => {
        writeFileSync(window.path(".vscode/settings.json", 1), "{}");
        await until("a search", async () => {
            await window.run("certo.start");
            return await window
                .lens("plain.py", /^(Stop|Accept)/)
                .waitFor({ timeout: 10_000 })
                .then(
                    () => true,
                    () => false,
                );
        });
        await window.verified("plain.py");
    });
});
