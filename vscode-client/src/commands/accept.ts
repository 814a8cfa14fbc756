// Accepts a candidate: the server verifies it on the text as it is now, and has the editor apply one edit.

import { l10n } from "vscode";

import { scoreParts } from "../searches/words";
import type { Session } from "../session";
import { apply } from "./applying";
import { aboutCandidate } from "./argument";
import { editedIn } from "./edit";

/** Applies a candidate; one step of undo takes it back. What is being edited is verified first. */
export async function accept(session: Session, argument: unknown): Promise<void> {
    const edited = editedIn(argument);
    const about =
        edited === undefined
            ? aboutCandidate(session, argument)
            : await session.underway.once(`verify ${edited.toString()}`, () => session.editing.passed(edited));
    if (about === undefined) return;
    const { candidate } = about;
    if (candidate.passed !== true) {
        const why = scoreParts(candidate, l10n).join(" · ");
        throw new Error(
            l10n.t("Candidate #{0} cannot be accepted: {1}. Edit it, or retry with feedback.", candidate.number, why),
        );
    }
    const applied = await apply(session, about);
    if (applied && edited !== undefined) await session.editing.close(edited);
}
