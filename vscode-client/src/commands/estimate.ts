// Says what a search would take of language models, before any is asked.

import { l10n } from "vscode";

import { estimateInWords } from "../searches/estimateWords";
import type { Session } from "../session";
import { here } from "./here";
import { startAndTell } from "./startAndTell";
import { waitFor } from "./waiting";
import { inform } from "../tell";

/** Estimates a search for the function at the cursor. */
export async function estimate(session: Session, argument: unknown): Promise<void> {
    const place = here(argument);
    const result = await waitFor(l10n.t("Estimating a search"), (token) =>
        session.daemon.ask("certo/estimate", place, token),
    );
    if (result === undefined) return;
    const search = l10n.t("Start the Search");
    const chosen = await inform(estimateInWords(result, l10n), search);
    if (chosen === search) await startAndTell(session, place);
}
