// Makes one candidate of hunks of several, which the server verifies like any other before it can be accepted.

import { l10n } from "vscode";

import { inert } from "../inert";
import type { MixedPart } from "../protocol";
import { shown } from "../searches/state";
import { scoreLine } from "../searches/words";
import type { Session } from "../session";
import { aboutCandidate } from "./argument";
import { chooseHunks, heading, hunkRows } from "./hunks";
import type { HunkRow } from "./hunks";
import { waitFor } from "./waiting";

/** Lets the user choose hunks of all candidates of a search, has them verified together, and shows what they make. */
export async function mixHunks(session: Session, argument: unknown): Promise<void> {
    const { search, candidate } = aboutCandidate(session, argument);
    if (candidate.elsewhere.length > 0) {
        throw new Error(
            l10n.t("Candidate #{0} changes other files too, so it can only be had whole.", candidate.number),
        );
    }
    const others = shown(search).filter((each) => each !== candidate && each.elsewhere.length === 0);
    if (others.length === 0) {
        throw new Error(l10n.t("There is no other candidate whose hunks could be mixed with these."));
    }
    const rows: HunkRow[] = [];
    for (const each of [candidate, ...others]) {
        rows.push(heading(inert(`#${each.number}  ${scoreLine(each, l10n)}`)));
        rows.push(...(await hunkRows(session, { search, candidate: each }, each === candidate)));
    }
    const title = l10n.t("Mix Hunks: Candidate #{0} and Others", candidate.number);
    const placeholder = l10n.t("Your choice is verified as a candidate of its own; nothing is applied");
    const chosen = await chooseHunks(rows, title, placeholder);
    if (chosen === undefined || chosen.length === 0) return;
    const made = await waitFor(l10n.t("Verifying the hunks together"), (token) =>
        session.daemon.ask("certo/candidate/mixed", { searchId: search.id, parts: partsOf(chosen) }, token),
    );
    if (made === undefined) return;
    await session.searches.catchUp(search);
    const about = session.review.at(search.id, made.candidateId);
    if (about !== undefined) await session.review.show(about, true);
}

/** The chosen hunks by candidate, in the order of the list. */
function partsOf(rows: readonly HunkRow[]): MixedPart[] {
    const parts = new Map<string, number[]>();
    for (const { candidateId, hunk } of rows) {
        if (hunk !== undefined) parts.set(candidateId, [...(parts.get(candidateId) ?? []), hunk.number]);
    }
    return [...parts].map(([candidateId, hunks]) => ({ candidateId, hunks }));
}
