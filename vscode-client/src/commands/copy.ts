// Copies the function as a candidate has it.

import { env, l10n, window } from "vscode";

import { functionIn } from "../review/functionText";
import type { Session } from "../session";
import { aboutCandidate } from "./argument";

/** Puts the candidate's function on the clipboard. */
export async function copy(session: Session, argument: unknown): Promise<void> {
    const { search, candidate } = aboutCandidate(session, argument);
    const { made } = await session.review.texts.of(search, candidate);
    await env.clipboard.writeText(functionIn(made, search.line));
    window.setStatusBarMessage(l10n.t("$(copy) Candidate #{0} is on the clipboard", candidate.number), 4000);
}
