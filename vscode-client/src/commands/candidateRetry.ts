// Searches once more from a candidate, with what the user has to say of it.

import { l10n } from "vscode";

import { nameOf } from "../searches/searchWords";
import type { Candidate, Search } from "../searches/state";
import type { Session } from "../session";
import { aboutWhich } from "./argument";
import { askAndSend } from "./askAndSend";

/** Asks what is to be better about a candidate, and searches again from there. */
export async function candidateRetry(session: Session, argument: unknown): Promise<void> {
    const about = aboutWhich(session, argument);
    if (about?.candidate === undefined) throw new Error(l10n.t("There is no candidate to continue from."));
    await askFeedback(session, about.search, about.candidate);
}

/** Asks for feedback, about one candidate or about the best one, and searches again. */
export async function askFeedback(session: Session, search: Search, candidate: Candidate | undefined): Promise<void> {
    const title =
        candidate === undefined
            ? titleFor(search)
            : l10n.t("Retry {0} from candidate #{1}", nameOf(search), candidate.number);
    await askAndSend({
        title,
        prompt:
            search.generator === "model"
                ? l10n.t("What should be better? The model reads it.")
                : l10n.t(
                      "The built-in generator cannot read this; it only looks for another candidate. A language model reads it.",
                  ),
        placeholder: l10n.t("For example: prices may be None; leave those out"),
        send: (feedback) =>
            session.searches.retry(search, {
                searchId: search.id,
                feedback,
                ...(candidate === undefined ? {} : { candidateId: candidate.id }),
            }),
    });
}

/** What a box or a list about trying again is headed with. */
export function titleFor(search: Search): string {
    return l10n.t("Retry {0}", nameOf(search));
}
