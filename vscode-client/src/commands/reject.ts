// Rejects a candidate: a retry does not offer it again, and a model that is asked reads why.

import { commands, l10n, window } from "vscode";

import type { Session } from "../session";
import { aboutCandidate } from "./argument";
import { inform } from "../tell";

/** Takes note that the user does not want a candidate, with a reason if they give one. */
export async function reject(session: Session, argument: unknown): Promise<void> {
    const { search, candidate } = aboutCandidate(session, argument);
    const note = await window.showInputBox({
        title: l10n.t("Reject Candidate #{0}", candidate.number),
        prompt: l10n.t("What is wrong with it? A retry uses your answer. You can leave it empty."),
        placeHolder: l10n.t("too clever; no recursion, please"),
    });
    if (note === undefined) return;
    const about = { searchId: search.id, candidateId: candidate.id };
    await session.daemon.ask("certo/candidate/feedback", { ...about, ruling: "rejected", note });
    const retry = l10n.t("Retry");
    const said = l10n.t("Candidate #{0} is rejected: a retry will not offer it again.", candidate.number);
    if ((await inform(said, retry)) === retry) {
        await session.searches.retry(search, { searchId: search.id });
    } else if (session.review.front?.candidate === candidate && search.candidates.size > 1) {
        await commands.executeCommand("certo.review.next");
    }
}
