// The file of the window's folders that an agent names.

import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";

import { Uri, l10n, workspace } from "vscode";

import { BadInput, readTarget } from "./toolInput";

/** A function of a file, as the server is told of it. */
export interface FilePlace {
    readonly uri: string;
    readonly qualname?: string;
    readonly line?: number;
}

/**
 * Finds the function that an agent names, in the folders of this window.
 *
 * @throws BadInput when there is no such file in them, links followed.
 */
export async function placeOf(target: string): Promise<FilePlace> {
    const { path, ...named } = readTarget(target);
    for (const { uri } of workspace.workspaceFolders ?? []) {
        if (uri.scheme !== "file") continue;
        const file = isAbsolute(path) ? path : join(uri.fsPath, path);
        if (await isWithin(uri.fsPath, file)) return { uri: Uri.file(file).toString(), ...named };
    }
    throw new BadInput(l10n.t("There is no file {0} in the folders that are open here", path));
}

async function isWithin(folder: string, file: string): Promise<boolean> {
    try {
        const way = relative(await realpath(folder), await realpath(file));
        return way !== "" && way.split(/[\\/]/u)[0] !== ".." && !isAbsolute(way);
    } catch {
        return false;
    }
}
