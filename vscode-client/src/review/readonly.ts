// Whether the user has told VS Code that a file is read-only, which it does not heed for edits of extensions.

import { stat } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";

import { l10n, languages, RelativePattern, workspace } from "vscode";
import type { TextDocument, WorkspaceConfiguration } from "vscode";

/** The bit that says of a file that its owner may write it, by which VS Code goes as well. */
const WRITABLE = 0o200;

/** Why a document is not to be changed, and what to do about it, in sentences; empty where it may be. */
export async function whyReadonly(document: TextDocument): Promise<string> {
    if (document.uri.scheme !== "file") return "";
    const section = workspace.getConfiguration("files", document.uri);
    const setting = matches(document, section, "readonlyInclude")
        ? matches(document, section, "readonlyExclude")
            ? ""
            : "files.readonlyInclude"
        : section.get<boolean>("readonlyFromPermissions", false) && (await isLocked(document.uri.fsPath))
          ? "files.readonlyFromPermissions"
          : "";
    if (setting === "") return "";
    return l10n.t(
        "{0} is read-only by the setting {1}, so nothing was changed. Change the setting to accept a candidate, or copy its code.",
        basename(document.uri.fsPath),
        setting,
    );
}

/** Whether a setting of VS Code's that has patterns as its names has one that is switched on for a document. */
function matches(document: TextDocument, section: WorkspaceConfiguration, name: string): boolean {
    const folder = workspace.getWorkspaceFolder(document.uri);
    const patterns = Object.entries(section.get<Record<string, boolean>>(name, {}));
    return patterns.some(([pattern, on]) => {
        if (!on) return false;
        // Only what is absolute is meant for the whole path, which may have the name of a pattern above the folder.
        const whole = folder === undefined || isAbsolute(pattern);
        return languages.match({ pattern: whole ? pattern : new RelativePattern(folder, pattern) }, document) > 0;
    });
}

async function isLocked(path: string): Promise<boolean> {
    try {
        return ((await stat(path)).mode & WRITABLE) === 0;
    } catch {
        // A file that is not there yet can be written as far as anybody knows.
        return false;
    }
}
