// Accepts only some hunks of a candidate, which the server verifies as a candidate of their own.

import { l10n } from "vscode";

import type { Session } from "../session";
import { apply } from "./applying";
import { aboutCandidate } from "./argument";
import { chooseHunks, hunkRows } from "./hunks";

/** Lets the user choose hunks, and has these applied when they pass without the others. */
export async function acceptHunks(session: Session, argument: unknown): Promise<void> {
    const about = aboutCandidate(session, argument);
    const { candidate } = about;
    if (candidate.passed !== true) {
        throw new Error(l10n.t("Candidate #{0} did not pass, so no part of it can be accepted.", candidate.number));
    }
    const rows = await hunkRows(session, about, true);
    if (rows.length > 1) await session.review.show(about, true);
    const title = l10n.t("Accept by Hunk: Candidate #{0}", candidate.number);
    const placeholder = l10n.t("Your choice is verified without the rest before it is applied");
    const chosen = rows.length > 1 ? await chooseHunks(rows, title, placeholder) : rows;
    if (chosen === undefined || chosen.length === 0) return;
    const all = chosen.length === rows.length;
    await apply(session, about, all ? undefined : chosen.flatMap(({ hunk }) => hunk?.number ?? []));
}
