// The extension under test, and waiting for it.

import { extensions, Uri, window, workspace } from "vscode";
import type { TextEditor } from "vscode";

import type { Candidate, Search } from "../../src/searches/state";
import { bestOf } from "../../src/searches/state";
import type { Session } from "../../src/session";

/** How long anything may take, in milliseconds. Machines that are busy are slow. */
const PATIENCE = 400_000;

/** The extension, activated, with a server that runs. */
export async function running(): Promise<Session> {
    const session = await activated();
    await session.daemon.started();
    await until("a running server", () => session.daemon.state.kind === "running");
    return session;
}

/** What the extension's activation returns. */
export async function activated(): Promise<Session> {
    const extension = extensions.getExtension<Session>("certo.certo");
    if (extension === undefined) throw new Error("The extension is not here.");
    return await extension.activate();
}

/** Opens a file of the project. */
export async function open(path: string): Promise<TextEditor> {
    const folder = workspace.workspaceFolders?.[0];
    if (folder === undefined) throw new Error("No folder is open.");
    return await window.showTextDocument(await workspace.openTextDocument(Uri.joinPath(folder.uri, path)));
}

/** Searches for a function, and waits for a candidate that is verified. */
export async function solved(session: Session, editor: TextEditor, qualname: string): Promise<[Search, Candidate]> {
    const { document } = editor;
    const wish = { uri: document.uri.toString(), version: document.version, qualname };
    const { search } = await session.searches.start(wish);
    await until("the end of the search", () => search.state === "stopped");
    const best = bestOf(search);
    if (best === undefined) throw new Error(`No candidate: ${search.end?.sentence ?? ""}`);
    return [search, best];
}

/** Asks again and again until the answer is yes. */
export async function until(what: string, ask: () => boolean | Promise<boolean>): Promise<void> {
    const end = Date.now() + PATIENCE;
    while (!(await ask())) {
        if (Date.now() > end) throw new Error(`This never came: ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}
