// The projects that are opened: folders of their own, made anew for each window.

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { EXAMPLE } from "./places";

/** A folder to open: a copy of one that there is, or these files, or both. */
export interface Project {
    readonly name: string;
    readonly from?: string;
    readonly files?: Readonly<Record<string, string>>;
}

/** The project that comes with certo. `till/basket.py` has a hole, and `till/coins.py` a bug that tests show. */
export const TILL: Project = { name: "till", from: EXAMPLE };

/** Makes the folder of a project, and tells where it is. */
export function make(project: Project, within: string): string {
    const folder = join(within, project.name);
    mkdirSync(folder, { recursive: true });
    if (project.from !== undefined) {
        cpSync(project.from, folder, { recursive: true, filter: (path) => !path.includes("__pycache__") });
    }
    for (const [name, text] of Object.entries(project.files ?? {})) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
    }
    return folder;
}
