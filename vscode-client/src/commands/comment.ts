// Opens a box at the function, for what the user has to say of a candidate.

import { Range, Uri, window } from "vscode";

import type { Session } from "../session";
import { aboutCandidate } from "./argument";

/** Shows the function with the box under its signature; what is written there is feedback for a retry. */
export async function comment(session: Session, argument: unknown): Promise<void> {
    const about = aboutCandidate(session, argument);
    const line = session.places.of(about.search.id)?.start.line ?? about.search.line - 1;
    await window.showTextDocument(Uri.parse(about.search.uri), { selection: new Range(line, 0, line, 0) });
    session.threads.show(about);
}
