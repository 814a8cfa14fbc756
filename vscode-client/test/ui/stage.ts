// The stage for journeys through a real VS Code: its own server and extension host, in a browser without a screen.
//
//     npm run ui                      every journey, with the packaged extension, in the light theme
//     npm run ui -- hole stop         test/ui/hole.test.ts and test/ui/stop.test.ts, with the folder of the extension
//     npm run ui -- hole --vsix       with the packaged extension
//     npm run ui -- hole --themes light,dark,contrast
//
// A journey is one window from beginning to end:
//
//     journey("hole", { projects: [TILL] }, async (window) => {
//         await window.openFile("till/basket.py", "loyalty_points(pence");
//         await window.step("the action is offered", async () => {
//             await window.actions(/verify/);
//         });
//     });
//
// After each step a picture is in .artefacts/screenshots/<theme>/<journey>/; when one fails, the last picture is called
// “failed”, the logs are beside it, and the test says where, and what was logged last. Look for things by what they are, and by words only where the words are the test's own.
// What a window can do is in window.ts. Everything that a window has started ends with it.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";

import type { Browser } from "./browser";
import { withBrowser } from "./browsers";
import { failure } from "./failure";
import { Model } from "./model";
import type { Answer } from "./model";
import { Pictures } from "./pictures";
import { ARTEFACTS, CERTO } from "./places";
import { make } from "./project";
import type { Project } from "./project";
import { Window } from "./window";
import { Workbench } from "./workbench";
import { JOURNEY, seconds } from "./waiting";
import type { Settings } from "./workbench";

// A run that is broken off ends what it has started, too.
process.once("SIGTERM", () => process.exit(143));

/** How a window looks. */
export type Theme = "light" | "dark" | "contrast";

const THEMES: Readonly<Record<Theme, string>> = {
    light: "Default Light Modern",
    dark: "Default Dark Modern",
    contrast: "Default High Contrast",
};

/** What is on the stage when the curtain rises. */
export interface Scene {
    /** The folders to open; more than one make a workspace. */
    readonly projects: readonly Project[];
    readonly settings?: Settings;
    /** Candidates that are proposed one after the other; without them, certo's own generator has to find some. */
    readonly replies?: readonly Reply[];
    /** What a language model answers to what it is asked; certo asks it then. */
    readonly model?: (asked: string) => Answer;
    /** Whether the folders are trusted; they are unless said otherwise. */
    readonly trusted?: boolean;
    /** Whether there are a server and a Python to be found; there are unless said otherwise. */
    readonly python?: boolean;
    /** Whether the extension has to set up its own server, as it does for a new user; it is told of ours unless said so. */
    readonly newcomer?: boolean;
    /** The package that is installed instead of the one that is to be tested. */
    readonly vsix?: string;
    /** Folders of other extensions. */
    readonly extensions?: readonly string[];
}

/** A whole function. */
export interface Reply {
    readonly source: string;
}

/** Machines that are busy are slow: no search of a test ends for that. */
const UNHURRIED: Settings = { "certo.search.seconds": 600, "certo.builtin.seconds": 300 };

/** Plays a journey in a window of its own, once in each theme that is asked for. */
export function journey(name: string, scene: Scene, play: (window: Window) => Promise<void>): void {
    test(name, async (suite) => {
        for (const theme of themes()) {
            await suite.test(theme, { timeout: JOURNEY }, () => perform(name, theme, scene, play));
        }
    });
}

function themes(): readonly Theme[] {
    const wanted = (process.env.CERTO_UI_THEMES ?? "light").split(",");
    const all: readonly Theme[] = ["light", "dark", "contrast"];
    return all.filter((each) => wanted.includes(each));
}

async function perform(
    name: string,
    theme: Theme,
    scene: Scene,
    play: (window: Window) => Promise<void>,
): Promise<void> {
    const pictures = new Pictures(join(ARTEFACTS, "screenshots", theme, name), theme);
    const model = scene.model === undefined ? undefined : await Model.start(scene.model);
    try {
        await withBrowser((browser) => playIn(browser, { name, theme, scene, pictures, model }, play));
    } finally {
        model?.stop();
    }
}

/** What one performance of a journey has for itself. */
interface Performance {
    readonly name: string;
    readonly theme: Theme;
    readonly scene: Scene;
    readonly pictures: Pictures;
    readonly model: Model | undefined;
}

async function playIn(
    browser: Browser,
    { name, theme, scene, pictures, model }: Performance,
    play: (window: Window) => Promise<void>,
): Promise<void> {
    const begun = Date.now();
    const home = mkdtempSync(join(tmpdir(), "certo-ui-"));
    const workbench = await Workbench.start({
        home,
        port: browser.port,
        settings: { ...settingsOf(home, theme, scene), ...model?.settings },
        trusted: scene.trusted ?? true,
        extensions: scene.extensions ?? [],
        path: scene.python === false ? emptyFolder(home) : pathOf(process.env.PATH),
        installed: scene.vsix === undefined ? true : { vsix: scene.vsix },
    });
    try {
        await browser.page(async (page) => {
            const folders = scene.projects.map((project) => make(project, join(home, "projects")));
            const window = new Window(name, page, workbench, folders, pictures);
            try {
                await page.goto(workbench.address(target(home, folders)));
                await page.locator(".monaco-workbench .part.statusbar").waitFor();
                await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
                console.log(`${seconds(begun)}  ${name}: the window is there`);
                await play(window);
            } catch (error) {
                const picture = await pictures.take(page, "failed").catch(() => "There is none: the page is gone.");
                throw failure(`${name} (${theme})`, error, `The last picture: ${picture}`, workbench);
            }
        });
    } catch (error) {
        workbench.keepLogs(join(pictures.folder, "logs"));
        throw error;
    } finally {
        await workbench.stop();
    }
}

/** The settings of a scene. */
export function settingsOf(home: string, theme: Theme, scene: Scene): Settings {
    return {
        ...UNHURRIED,
        ...(scene.replies === undefined ? {} : scripted(home, scene.replies)),
        "workbench.colorTheme": THEMES[theme],
        ...(scene.trusted === false ? { "security.workspace.trust.startupPrompt": "always" } : {}),
        ...(scene.python === false || scene.newcomer === true ? {} : { "certo.server.command": CERTO }),
        ...scene.settings,
    };
}

function scripted(home: string, replies: readonly Reply[]): Settings {
    const path = join(home, "replies.json");
    writeFileSync(path, JSON.stringify(replies));
    return { "certo.search.generator": "scripted", "certo.scripted.path": path };
}

/** The folder to open, or a file that names several. */
function target(home: string, folders: readonly string[]): string {
    const [only] = folders;
    if (only !== undefined && folders.length === 1) return only;
    const file = join(home, "projects", "shop.code-workspace");
    writeFileSync(file, JSON.stringify({ folders: folders.map((path) => ({ path })) }));
    return file;
}

function pathOf(path: string | undefined): string {
    // npm puts the programs of packages on the path, which no user has there.
    return (path ?? "")
        .split(delimiter)
        .filter((folder) => !folder.includes("node_modules"))
        .join(delimiter);
}

function emptyFolder(home: string): string {
    const folder = join(home, "bin");
    mkdirSync(folder);
    return folder;
}
