// Shows two candidates side by side, with a call that tells them apart when there is one, and what yours gives on it.

import { commands, l10n, window } from "vscode";
import type { QuickPickItem, Uri } from "vscode";

import { inert, visible } from "../inert";
import type { Difference } from "../protocol";
import type { Reviewed } from "../review/review";
import { pairTitle } from "../review/titles";
import { preferenceInWords } from "../searches/preference";
import { shown } from "../searches/state";
import type { Candidate, Search } from "../searches/state";
import { scoreLine } from "../searches/words";
import { sentence } from "../sentence";
import type { Session } from "../session";
import { aboutCandidate } from "./argument";
import { waitFor } from "./waiting";
import { inform } from "../tell";

interface Row extends QuickPickItem {
    readonly candidate: Candidate;
}

/** Has the user choose another candidate of the search, shows the two in a diff editor, and looks for a difference. */
export async function compare(session: Session, argument: unknown): Promise<void> {
    const { search, candidate } = aboutCandidate(session, argument);
    const other = await choose(search, candidate);
    if (other === undefined) return;
    const left = await sideOf(session, { search, candidate });
    const right = await sideOf(session, { search, candidate: other });
    const title = pairTitle(search, candidate, other, l10n);
    await commands.executeCommand("vscode.diff", left, right, title, { preview: true });
    const found = await waitFor(
        l10n.t("Looking for a call that tells #{0} and #{1} apart", candidate.number, other.number),
        (token) =>
            session.daemon.ask(
                "certo/candidate/compare",
                { searchId: search.id, candidateId: candidate.id, otherId: other.id },
                token,
            ),
    );
    if (found === undefined) return;
    if (found.difference === null) {
        void inform([sentence(found.reason), preferenceInWords(candidate, other, l10n)].join(" ").trim());
        return;
    }
    const { call, ours, theirs } = found.difference;
    const line = search.line - 1;
    const yours = found.base ?? "";
    const remark = (of: Candidate, result: string): string => `#${of.number}: ${visible(call)} → ${visible(result)}`;
    session.review.remarks.put(left, { line, text: remark(candidate, ours) });
    session.review.remarks.put(right, { line, text: remark(other, theirs) });
    await offerExample(session, { search, candidate }, other, found.difference, yours);
}

async function choose(search: Search, candidate: Candidate): Promise<Candidate | undefined> {
    const rows = shown(search)
        .filter((each) => each !== candidate)
        .map(
            (each): Row => ({
                label: `#${each.number}`,
                description: scoreLine(each, l10n),
                detail: inert(each.origin.note),
                candidate: each,
            }),
        );
    if (rows.length === 0) throw new Error(l10n.t("There is no other candidate to compare with."));
    const chosen = await window.showQuickPick(rows, {
        title: l10n.t("Compare Candidate #{0}", candidate.number),
        placeHolder: l10n.t("Which other candidate do you want to compare it with?"),
        matchOnDetail: true,
    });
    return chosen?.candidate;
}

async function sideOf(session: Session, { search, candidate }: Reviewed): Promise<Uri> {
    const uri = session.review.documents.uriOf(search, candidate, "made");
    session.review.documents.put(uri, (await session.review.texts.of(search, candidate)).made);
    return uri;
}

/** Says what tells them apart; what is right can be made an example, by which a retry goes. */
async function offerExample(
    session: Session,
    { search, candidate }: Reviewed,
    other: Candidate,
    { call, ours, theirs }: Difference,
    yours: string,
): Promise<void> {
    const first = l10n.t("#{0} Is Right…", candidate.number);
    const second = l10n.t("#{0} Is Right…", other.number);
    const said = l10n.t(
        "{0}: candidate #{1} gives {2}, candidate #{3} gives {4}.",
        call,
        candidate.number,
        ours,
        other.number,
        theirs,
    );
    const before = yours === "" ? "" : l10n.t("Your version gives {0}.", yours);
    const words = [said, before, preferenceInWords(candidate, other, l10n)].filter((part) => part !== "");
    const right = await inform(words.join(" "), first, second);
    if (right === undefined) return;
    const [result, by] = right === first ? [ours, candidate] : [theirs, other];
    const example = await window.showInputBox({
        title: l10n.t("Retry with an Example"),
        prompt: l10n.t("Which example must hold? Certo runs it as a test of each candidate."),
        value: `${call} == ${result}`,
        ignoreFocusOut: true,
    });
    if (example === undefined || example.trim() === "") return;
    await session.searches.retry(search, { searchId: search.id, candidateId: by.id, example });
}
