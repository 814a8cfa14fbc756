// Goes to the function that a search is about.

import { Range, Uri, l10n, window } from "vscode";

import { aboutWhich } from "./argument";
import type { Session } from "../session";

/** Opens the document of a search, with its function on the screen and the cursor at its beginning. */
export async function reveal(session: Session, argument: unknown): Promise<void> {
    const search = aboutWhich(session, argument)?.search;
    if (search === undefined) throw new Error(l10n.t("There is no search to go to."));
    const known = session.places.of(search.id);
    // Where the document is not open, the function is taken to be where it was when the search began.
    const line = known?.start.line ?? Math.max(0, search.line - 1);
    await window.showTextDocument(Uri.parse(search.uri), { selection: new Range(line, 0, line, 0) });
}
