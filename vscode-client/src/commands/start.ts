// Starts a search at the cursor, or where the server's code action says.

import { l10n, window } from "vscode";

import type { GenerateArguments } from "../protocol";
import type { Session } from "../session";

/** Starts a search for the function at the cursor. */
export async function start(session: Session): Promise<void> {
    const editor = window.activeTextEditor;
    if (editor?.document.languageId !== "python") {
        throw new Error(l10n.t("Put the cursor into a function of a Python file first."));
    }
    const { document, selection } = editor;
    await session.searches.start({
        uri: document.uri.toString(),
        version: document.version,
        position: { line: selection.active.line, character: selection.active.character },
    });
}

/** Starts the search that a code action of the server offers. */
export async function generateAt(session: Session, argument: unknown): Promise<void> {
    await session.searches.start(argument as GenerateArguments);
}
