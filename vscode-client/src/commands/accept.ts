// Accepts a candidate: the server verifies it on the text as it is now, and has the editor apply one edit.

import { l10n, Uri, window, workspace } from "vscode";

import { aboutWhich } from "./argument";
import type { Session } from "../session";

/** Applies a candidate; one step of undo takes it back. */
export async function accept(session: Session, argument: unknown): Promise<void> {
    const about = aboutWhich(session, argument);
    if (about?.candidate === undefined) throw new Error(l10n.t("There is no candidate to accept."));
    const { search, candidate } = about;
    const document = await workspace.openTextDocument(Uri.parse(search.uri));
    const result = await session.daemon.ask("certo/candidate/apply", {
        searchId: search.id,
        candidateId: candidate.id,
        version: document.version,
    });
    if (result.applied) {
        session.searches.accepted(search, candidate.id);
        if (result.verified !== true) void window.showWarningMessage(result.reason ?? "");
    } else {
        throw new Error(result.reason);
    }
}
