// Shows two candidates side by side.

import { commands, l10n, window } from "vscode";
import type { QuickPickItem } from "vscode";

import { pairTitle } from "../review/titles";
import { shown } from "../searches/state";
import type { Candidate } from "../searches/state";
import { scoreLine } from "../searches/words";
import type { Session } from "../session";
import { aboutCandidate } from "./argument";

interface Row extends QuickPickItem {
    readonly candidate: Candidate;
}

/** Has the user choose another candidate of the search, and shows the two in a diff editor. */
export async function compare(session: Session, argument: unknown): Promise<void> {
    const { search, candidate } = aboutCandidate(session, argument);
    const rows = shown(search)
        .filter((each) => each !== candidate)
        .map(
            (each): Row => ({
                label: `#${each.number}`,
                description: scoreLine(each, l10n),
                detail: each.origin.note,
                candidate: each,
            }),
        );
    if (rows.length === 0) throw new Error(l10n.t("There is no other candidate to compare with."));
    const chosen = await window.showQuickPick(rows, {
        title: l10n.t("Compare Candidate #{0}", candidate.number),
        placeHolder: l10n.t("With which other candidate?"),
        matchOnDetail: true,
    });
    if (chosen === undefined) return;
    const [left, right] = await Promise.all(
        [candidate, chosen.candidate].map(async (each) => {
            const uri = session.review.documents.uriOf(search, each, "made");
            session.review.documents.put(uri, (await session.review.texts.of(search, each)).made);
            return uri;
        }),
    );
    const title = pairTitle(search, candidate, chosen.candidate, l10n);
    await commands.executeCommand("vscode.diff", left, right, title, { preview: true });
}
