// Shows two candidates side by side and yours below, with a call that tells them apart when there is one.

import { commands, l10n, MarkdownString, Range, TabInputText, ViewColumn, window } from "vscode";
import type { QuickPickItem, Uri } from "vscode";

import { inert, visible } from "../inert";
import type { Difference } from "../protocol";
import { addressOf } from "../review/address";
import type { Reviewed } from "../review/review";
import { pairTitle } from "../review/titles";
import { preferenceInWords, preferred } from "../searches/preference";
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

/** Has the user choose another candidate of the search, shows three versions, and looks for a difference. */
export async function compare(session: Session, argument: unknown): Promise<void> {
    const { search, candidate } = aboutCandidate(session, argument);
    const other = await choose(search, candidate);
    if (other === undefined) return;
    const left = await sideOf(session, { search, candidate });
    const right = await sideOf(session, { search, candidate: other });
    const title = pairTitle(search, candidate, other, l10n);
    await commands.executeCommand("vscode.diff", left, right, title, { preview: true });
    const base = await showYours(session, { search, candidate });
    remark(session, { search, candidate }, other, { left, right, base });
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
    const yours = found.base ?? "";
    remark(session, { search, candidate }, other, { left, right, base }, { ...found.difference, yours });
    await offerExample(session, { search, candidate }, other, found.difference, yours);
}

/** Where the three versions are shown. */
interface Panes {
    readonly left: Uri;
    readonly right: Uri;
    readonly base: Uri;
}

/** Writes behind each of the three functions whose it is, what the call gives there, and why it is recommended. */
function remark(
    session: Session,
    { search, candidate }: Reviewed,
    other: Candidate,
    { left, right, base }: Panes,
    told?: Difference & { readonly yours: string },
): void {
    const better = preferred(candidate, other);
    const why = preferenceInWords(candidate, other, l10n);
    const put = (uri: Uri, name: string, result: string | undefined, more: string): void => {
        const gives = told === undefined || result === undefined || result === "" ? "" : `${told.call} → ${result}`;
        const text = [[name, gives].filter((part) => part !== "").join(": "), more].filter((part) => part !== "");
        const whole = visible(text.join(" · "));
        const hover = new MarkdownString().appendText(whole);
        session.review.remarks.put(uri, { line: search.line - 1, text: whole, more: hover });
    };
    put(left, `#${candidate.number}`, told?.ours, better === candidate ? why : "");
    put(right, `#${other.number}`, told?.theirs, better === other ? why : "");
    put(base, l10n.t("Yours"), told?.yours, "");
}

/** Shows the text that the search began with below the two candidates, and leaves the focus with them. */
async function showYours(session: Session, { search, candidate }: Reviewed): Promise<Uri> {
    const uri = session.review.documents.uriOf(search, candidate, "base");
    session.review.documents.put(uri, (await session.review.texts.of(search, candidate)).base);
    const open = window.tabGroups.all.find(({ tabs }) =>
        tabs.some(({ input }) => input instanceof TabInputText && addressOf(input.uri)?.side === "base"),
    );
    if (open === undefined) await commands.executeCommand("workbench.action.newGroupBelow");
    const at = search.line - 1;
    await window.showTextDocument(uri, {
        viewColumn: open?.viewColumn ?? ViewColumn.Active,
        preview: true,
        preserveFocus: open !== undefined,
        selection: new Range(at, 0, at, 0),
    });
    if (open === undefined) await commands.executeCommand("workbench.action.focusAboveGroup");
    return uri;
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
