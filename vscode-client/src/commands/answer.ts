// Retries with what the user has written of a candidate at its function.

import { l10n } from "vscode";

import type { Session } from "../session";
import { aboutCandidate } from "./argument";

/** What such a box gives: the thread, and what was written. */
interface Reply {
    readonly thread: unknown;
    readonly text: string;
}

function isReply(value: unknown): value is Reply {
    return (
        typeof value === "object" &&
        value !== null &&
        "thread" in value &&
        "text" in value &&
        typeof value.text === "string"
    );
}

/** Makes the search once more, with the answer as feedback about its candidate. */
export async function answer(session: Session, argument: unknown): Promise<void> {
    if (!isReply(argument)) throw new Error(l10n.t("Write the feedback into the box at the function."));
    const { search, candidate } = aboutCandidate(session, argument.thread);
    const feedback = argument.text.trim();
    if (feedback === "") throw new Error(l10n.t("Write what should change first."));
    await session.searches.retry(search, { searchId: search.id, candidateId: candidate.id, feedback });
}
