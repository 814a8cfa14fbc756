// The function that a command is about, when it is about none that is searched for: that of an argument, or at the cursor.

import { l10n, window } from "vscode";

import { Mistake } from "./mistake";
import type { Place } from "../protocol";

/** The schemes of the documents that the server is told of: files, and the cells of notebooks. */
const SERVED: ReadonlySet<string> = new Set(["file", "vscode-notebook-cell"]);

/** A place in a version of a document. */
export interface Here {
    readonly uri: string;
    readonly version: number;
    readonly position: Place;
}

/**
 * The place of an argument that a code action or a menu brings, or else that of the cursor.
 *
 * @throws Mistake when the cursor is in no Python file that is on disk.
 */
export function here(argument: unknown): Here {
    if (isHere(argument)) return { uri: argument.uri, version: argument.version, position: argument.position };
    const editor = window.activeTextEditor;
    if (editor?.document.languageId !== "python") {
        throw new Mistake(l10n.t("Put the cursor in a function of a Python file first."));
    }
    const { document, selection } = editor;
    if (document.isUntitled) {
        throw new Mistake(l10n.t("Save this file first: Certo works on files, with the tests of their project."), {
            label: l10n.t("Save As…"),
            command: "workbench.action.files.saveAs",
        });
    }
    if (!SERVED.has(document.uri.scheme)) {
        throw new Mistake(l10n.t("This is a read-only view. Put the cursor in the file itself."));
    }
    const { line, character } = selection.active;
    return { uri: document.uri.toString(), version: document.version, position: { line, character } };
}

function isHere(value: unknown): value is Here {
    return (
        typeof value === "object" &&
        value !== null &&
        "uri" in value &&
        typeof value.uri === "string" &&
        "version" in value &&
        typeof value.version === "number" &&
        "position" in value &&
        typeof value.position === "object"
    );
}
