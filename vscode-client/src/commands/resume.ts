// Has a search that was interrupted or stopped go on.

import { l10n } from "vscode";

import { isResumable } from "../searches/searchWords";
import type { Session } from "../session";
import { aboutWhich } from "./argument";

/** Resumes a search where it was. */
export async function resume(session: Session, argument: unknown): Promise<void> {
    const search = aboutWhich(session, argument)?.search;
    if (search === undefined || !isResumable(search)) {
        throw new Error(l10n.t("There is no search here that was interrupted or stopped. Retry it instead."));
    }
    await session.searches.resume(search);
}
