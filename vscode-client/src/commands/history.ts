// Shows how a search went: its tree, its scores and what it spent, in pictures.

import { l10n } from "vscode";

import { aboutWhich } from "./argument";
import type { Session } from "../session";

/** Opens the score history of a search, or shows the one that is open. */
export function history(session: Session, argument: unknown): Promise<void> {
    const about = aboutWhich(session, argument);
    if (about === undefined) {
        return Promise.reject(new Error(l10n.t("There is no search yet, so there is no history to show.")));
    }
    session.history.show(about.search);
    return Promise.resolve();
}
