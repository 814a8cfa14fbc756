// Opens a copy of the small project that the extension carries, with the cursor at a function that has a bug.

import { randomUUID } from "node:crypto";

import type { ExtensionContext, Position } from "vscode";
import { commands, l10n, Range, Uri, window, workspace } from "vscode";

import { said } from "../log";
import type { Session } from "../session";

/** Where the demo begins: a function whose tests are red, of which a customer complains. */
const FILE = "till/coins.py";
const FUNCTION = "def change(";

/** Under this name the place to go to is kept, for the window that the project is opened in. */
const AWAITED = "certo.demo";

/** Copies the demo project into a new folder and opens it: here if nothing is open here, else in a new window. */
export async function openDemo({ context }: Session): Promise<void> {
    const project = Uri.joinPath(context.globalStorageUri, "demo", randomUUID().slice(0, 8), "till");
    const carried = Uri.joinPath(context.extensionUri, "bundled", "demo");
    await workspace.fs.copy(carried, project).then(undefined, () => {
        throw new Error(l10n.t("The demo project could not be copied to {0}.", project.fsPath));
    });
    await context.globalState.update(AWAITED, project.toString());
    const forceNewWindow = workspace.workspaceFolders !== undefined;
    await commands.executeCommand("vscode.openFolder", project, { forceNewWindow });
}

/** In the window that the demo project was opened in, goes to where it begins; nobody waits for it. */
export function goToDemo({ context, log }: Session): void {
    arrive(context).catch((error: unknown) => {
        log.error(`the demo project: ${said(error)}`);
    });
}

async function arrive(context: ExtensionContext): Promise<void> {
    const [folder] = workspace.workspaceFolders ?? [];
    if (folder === undefined || context.globalState.get(AWAITED) !== folder.uri.toString()) return;
    await context.globalState.update(AWAITED, undefined);
    const document = await workspace.openTextDocument(Uri.joinPath(folder.uri, FILE));
    const place = document.getText().indexOf(FUNCTION);
    const start: Position = document.positionAt(place + "def ".length);
    await window.showTextDocument(document, { selection: new Range(start, start) });
}
