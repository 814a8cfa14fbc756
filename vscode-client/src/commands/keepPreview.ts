// Accepts the candidate that ghost text has put into the document, or takes it out again.

import { commands, window } from "vscode";

import type { Session } from "../session";
import { apply } from "./applying";
import { aboutCandidate } from "./argument";

/** Has what was put in verified on the text as it is now; what is refused does not stay. */
export async function keepPreview(session: Session, argument: unknown): Promise<void> {
    // Ghost text is accepted where the cursor is.
    const document = window.activeTextEditor?.document;
    const version = document?.version;
    async function takeBack(): Promise<void> {
        if (document === undefined || document.version !== version) return;
        await window.showTextDocument(document);
        await commands.executeCommand("undo");
    }
    try {
        const about = aboutCandidate(session, argument);
        session.refusedPreviews.add(about.candidate.id);
        if (await apply(session, about, undefined, takeBack)) session.refusedPreviews.delete(about.candidate.id);
    } catch (error) {
        await takeBack();
        throw error;
    }
}
