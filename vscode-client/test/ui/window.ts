// One window of VS Code, by what a user does and sees in it.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Locator, Page } from "playwright-core";

import type { Clip, Pictures } from "./pictures";
import { below, kill, processes } from "./processes";
import type { Process } from "./processes";
import { titleOf } from "./titles";
import { PATIENCE, SEARCH, seconds, until } from "./waiting";
import type { Workbench } from "./workbench";

/** How long a key may go unanswered before it is pressed again, at first; some are lost while the focus moves. */
const KEY = 4_000;

/** Run in the page: all that VS Code has stored of its workspaces. */
const STORED = `(async () => {
    const done = (request) => new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    const found = [];
    for (const { name } of await indexedDB.databases()) {
        if (!name.startsWith("vscode-web-state-db-") || name.endsWith("-global")) continue;
        const database = await done(indexedDB.open(name));
        for (const store of database.objectStoreNames) {
            found.push(...await done(database.transaction(store).objectStore(store).getAll()));
        }
        database.close();
    }
    return found.join("\\n");
})()`;

/** A window. What it cannot do has `page`, of playwright. */
export class Window {
    constructor(
        private readonly journey: string,
        readonly page: Page,
        readonly workbench: Workbench,
        /** The folders that are open. */
        readonly folders: readonly string[],
        private readonly pictures: Pictures,
    ) {}

    /** Does one step of the journey, and takes its picture; the step is named when it fails. */
    async step(name: string, act: () => Promise<void>): Promise<void> {
        const begun = Date.now();
        try {
            await act();
        } catch (error) {
            throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
        }
        await this.screenshot(name);
        console.log(`${seconds(begun)}  ${this.journey}: ${name}`);
    }

    /** Takes a picture. */
    async screenshot(name: string): Promise<void> {
        await this.pictures.take(this.page, name);
    }

    /** Takes a picture for the extension's page, when such are asked for: of the whole window, or of a part of it. */
    async publish(name: string, clip?: Clip): Promise<void> {
        await this.pictures.publish(this.page, name, clip);
    }

    /** Presses a key, or several one after the other. */
    async press(...keys: readonly string[]): Promise<void> {
        for (const key of keys) await this.page.keyboard.press(key);
    }

    /** Runs a command of the extension by its name in package.json. */
    async run(command: string): Promise<void> {
        await this.palette(titleOf(command));
    }

    /** Runs a command by its title. */
    async palette(title: string): Promise<void> {
        await this.again(async (patience) => {
            // No browser takes F1 for itself.
            await this.press("F1");
            await this.answer(`>${title}`, title, patience);
        });
    }

    /** The box for input at the top of the window. */
    get input(): Locator {
        return this.page.locator(".quick-input-widget:visible");
    }

    /** Types into the box at the top and takes the first row with these words; without them, what was typed. */
    async answer(text: string, row?: string, patience = PATIENCE): Promise<void> {
        const box = this.input.locator("input[type=text]");
        await box.waitFor({ timeout: patience });
        await box.fill(text);
        if (row === undefined) await this.press("Enter");
        else await this.input.locator(".monaco-list-row", { hasText: row }).first().click({ timeout: patience });
    }

    /** Opens a file by its path in the project, with the cursor before the first of these words on disk. */
    async openFile(path: string, words = "", folder = 0): Promise<void> {
        const name = path.slice(path.lastIndexOf("/") + 1);
        await this.again(async (patience) => {
            await this.press("Control+P");
            await this.answer(path, name, patience);
            await this.editor(path).locator(".view-line").first().waitFor({ timeout: patience });
        });
        const before = this.saved(path, folder).split(words)[0]?.split("\n") ?? [];
        await this.goTo(before.length, (before.at(-1)?.length ?? 0) + 1);
    }

    /** Puts the cursor there, lines and columns counted from 1. */
    async goTo(line: number, column = 1): Promise<void> {
        await this.again(async (patience) => {
            await this.press("Control+G");
            await this.answer(`:${line}:${column}`, undefined, patience);
            await this.input.waitFor({ state: "hidden", timeout: patience });
        });
        // Before the editor has the focus, the next key is lost.
        await this.page.locator(".editor-instance .monaco-editor.focused").first().waitFor();
    }

    /** The editor of a file. */
    editor(path: string): Locator {
        return this.page.locator(`.editor-instance .monaco-editor[data-uri$="/${path}"]`).first();
    }

    /** The lines of an editor that are on the screen, from top to bottom. */
    async text(path: string): Promise<string> {
        return await linesOf(this.editor(path));
    }

    /** The lines of the two sides of the diff editor that are on the screen. */
    async diff(): Promise<{ original: string; modified: string }> {
        const diff = this.page.locator(".monaco-diff-editor").first();
        await diff.waitFor();
        return {
            original: await linesOf(diff.locator(".editor.original")),
            modified: await linesOf(diff.locator(".editor.modified")),
        };
    }

    /** Asks for code actions at the cursor until there is one with these words, and tells the titles of all. */
    async actions(title: string | RegExp): Promise<string[]> {
        const rows = this.page.locator(".action-widget .monaco-list-row.action");
        await this.again(async (patience) => {
            await this.press("Control+.");
            await rows.filter({ hasText: title }).first().waitFor({ timeout: patience });
        });
        return await rows.allInnerTexts();
    }

    /** Takes a code action from the menu that is open. By keys, for something lies over the rows. */
    async choose(title: string | RegExp): Promise<void> {
        const row = this.page.locator(".action-widget .monaco-list-row.action").filter({ hasText: title }).first();
        await until(`the code action ${String(title)} in focus`, async () => {
            if (/\bfocused\b/.test((await row.getAttribute("class")) ?? "")) return true;
            await this.press("ArrowDown");
            return false;
        });
        await this.press("Enter");
        await row.waitFor({ state: "hidden" });
    }

    /**
     * Takes a code action until a search of the file runs or has ended. VS Code throws the command of a menu away when it
     * asks for the actions anew in the meantime, and then choosing does nothing.
     */
    async start(path: string, title: string | RegExp): Promise<void> {
        await this.again(async (patience) => {
            await this.actions(title);
            await this.choose(title);
            // The first search of a window starts the server's processes as well.
            await this.lens(path, /^(Stop|Accept|Retry)/).waitFor({ timeout: 10 * patience });
        });
    }

    /** Shows the hover at the cursor until it has these words, and tells all it says. */
    async hover(words: string | RegExp): Promise<string> {
        const hover = this.page.locator(".monaco-hover:visible").filter({ hasText: words }).first();
        await this.again(async (patience) => {
            await this.palette("Show or Focus Hover");
            await hover.waitFor({ timeout: patience });
        });
        return await hover.innerText();
    }

    /** The lenses of a file, one for each line that has some. */
    lenses(path: string): Locator {
        return this.editor(path).locator(".codelens-decoration");
    }

    /** A lens of a file, by its words. */
    lens(path: string, words: string | RegExp): Locator {
        return this.lenses(path).locator("a").filter({ hasText: words }).first();
    }

    /** Waits until a candidate can be accepted; the lens over its function offers it as soon as one is verified. */
    async verified(path: string): Promise<void> {
        await this.lens(path, /^Accept/).waitFor({ timeout: SEARCH });
    }

    /** Accepts the best candidate, and waits until its code stands where these words stood. */
    async accept(path: string, before: string): Promise<void> {
        await this.run("certo.candidate.accept");
        await until("the code of the candidate", async () => !(await this.text(path)).includes(before));
    }

    /** The view of the extension, brought to the front. */
    async view(): Promise<Locator> {
        const view = this.page.locator('[id="workbench.view.extension.certo"]');
        if (!(await view.isVisible()))
            await this.page.locator('.activitybar .action-label[aria-label^="Certo"]').click();
        await view.waitFor();
        return view;
    }

    /** The rows of the view, in the words that a screen reader gets. */
    async rows(): Promise<string[]> {
        const rows = (await this.view()).locator(".monaco-list-row");
        return await rows.evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? ""));
    }

    /** The messages in the corner. */
    get toasts(): Locator {
        return this.page.locator(".notifications-toasts .notification-list-item");
    }

    /** Presses a button of a message. One that nobody has pressed for a while stands in the list of messages only. */
    async pressInMessage(words: string): Promise<void> {
        const lists = this.page.locator(".notifications-toasts, .notifications-center");
        const button = lists.locator(".notification-list-item .monaco-button:visible", { hasText: words }).first();
        await this.again(async (patience) => {
            if (!(await button.isVisible())) await this.palette("Notifications: Show Notifications");
            await button.click({ timeout: patience });
        });
    }

    /** The dialog in the middle. */
    get dialog(): Locator {
        return this.page.locator(".monaco-dialog-box");
    }

    /** An entry of the status bar. */
    status(words: string | RegExp): Locator {
        return this.page.locator(".part.statusbar .statusbar-item").filter({ hasText: words });
    }

    /** Saves the file that is open, and waits until it is on disk. */
    async save(): Promise<void> {
        await this.press("Control+S");
        await this.page.locator(".tab.active.dirty").waitFor({ state: "detached" });
    }

    /** What is on disk. */
    saved(path: string, folder = 0): string {
        return readFileSync(this.path(path, folder), "utf8");
    }

    /** Where a file of a project is. */
    path(path: string, folder = 0): string {
        return join(this.folders[folder] ?? "", path);
    }

    /**
     * Loads the window anew, once it has stored these words: VS Code stores what is open, and what extensions keep, only
     * from time to time, and a browser does not wait for that.
     */
    async loadAnew(...words: readonly string[]): Promise<void> {
        await until(`${words.join(" and ")} to be stored`, async () => {
            const kept = await this.page.evaluate<string>(STORED);
            return words.every((each) => kept.includes(each));
        });
        await this.page.reload();
    }

    /** The process of the server, on request that of an environment; waits for it. */
    async daemon(environment = ""): Promise<Process> {
        const sought = (command: string): boolean => command.startsWith(environment) && command.endsWith(" serve");
        return await until("certo's server", () =>
            processes().find(({ command, pid }) => sought(command) && this.started(pid)),
        );
    }

    /** Goes to the candidate that is being edited. */
    async openEdited(): Promise<void> {
        await this.page.locator(".tab", { hasText: "(candidate #" }).click();
        await this.page.locator('.editor-instance .monaco-editor.focused[data-uri^="certo-edit:"]').waitFor();
    }

    /** Kills the server as a crash would, and tells who it was. */
    async killDaemon(): Promise<Process> {
        const daemon = await this.daemon();
        kill(daemon.pid);
        return daemon;
    }

    private started(pid: number): boolean {
        return below(this.workbench.pid).some((each) => each.pid === pid);
    }

    /** Does something once more when it fails, for keys get lost while the focus moves; each time with more patience. */
    private async again(act: (patience: number) => Promise<void>): Promise<void> {
        for (let patience = KEY; ; patience *= 2) {
            try {
                await act(patience);
                return;
            } catch (error) {
                if (patience > PATIENCE) throw error;
                await this.press("Escape");
            }
        }
    }
}

/** Lines are drawn in any order, with spaces that do not break. */
async function linesOf(editor: Locator): Promise<string> {
    const lines = await editor.locator(".view-line").evaluateAll((all) =>
        all
            .map((each) => ({
                top: each instanceof HTMLElement ? parseFloat(each.style.top) : 0,
                text: each.textContent,
            }))
            .sort((one, other) => one.top - other.top)
            .map(({ text }) => text),
    );
    return lines.join("\n").replaceAll("\u00a0", " ");
}
