// Putting a candidate, or a part of it, into the document: what accepting whole and by hunk have in common.

import { commands, l10n, Range, Uri, window, workspace } from "vscode";
import type { TextDocument } from "vscode";

import type { ApplyResult, Conflict } from "../protocol";
import { whyReadonly } from "../review/readonly";
import type { Reviewed } from "../review/review";
import { shownWaiting } from "../review/patience";
import { nameOf } from "../searches/searchWords";
import { sentence } from "../sentence";
import type { Session } from "../session";
import { inform, regret, warn } from "../tell";

/** How long the status bar says what was accepted, in milliseconds. */
const WHILE = 8000;

/**
 * Has the server verify a candidate, or these hunks of it, on the text as it is, and the editor apply one edit; says
 * whether it has. While one is being verified so, another wish to apply something of its search is none. What the editor has put
 * in before it asked is taken back when that is refused.
 */
export async function apply(
    session: Session,
    about: Reviewed,
    hunks?: readonly number[],
    takeBack?: () => PromiseLike<unknown>,
): Promise<boolean> {
    const { search, candidate } = about;
    if (search.accepted !== null) throw new Error(l10n.t("A candidate of this search has been accepted already."));
    const document = await workspace.openTextDocument(Uri.parse(search.uri));
    const reason = await whyReadonly(document);
    if (reason !== "") throw new Error(reason);
    const result = await session.underway.once(`apply ${search.id}`, () =>
        shownWaiting(
            l10n.t("Certo: verifying candidate #{0} on the current text of {1}", candidate.number, nameOf(search)),
            session.daemon.ask("certo/candidate/apply", {
                searchId: search.id,
                candidateId: candidate.id,
                version: document.version,
                ...(hunks === undefined ? {} : { hunks: [...hunks] }),
            }),
        ),
    );
    if (result === undefined) return false;
    if (!result.applied) {
        await takeBack?.();
        await refused(session, about, document, result, hunks !== undefined);
        return false;
    }
    const line = session.places.of(search.id)?.start.line ?? search.line - 1;
    session.searches.accepted(search, candidate.id);
    await session.review.close(search);
    const at = document.lineAt(Math.min(line, document.lineCount - 1)).range.start;
    await window.showTextDocument(document, { preview: false, selection: new Range(at, at) });
    tell(about, result);
    return true;
}

/** Says what was applied; calmly when all is well, and in a message when it is not what one would think. */
function tell({ search, candidate }: Reviewed, result: ApplyResult): void {
    const name = nameOf(search);
    if (result.verified !== true) {
        const accepted = l10n.t("Candidate #{0} is in {1}, but it is not verified.", candidate.number, name);
        void warn([accepted, sentence(result.reason ?? "")].join(" ").trim());
    } else if (result.merged === true) {
        void inform(
            l10n.t(
                "Candidate #{0} was merged with your changes in {1}, and the result was verified.",
                candidate.number,
                name,
            ),
        );
    } else {
        const said =
            result.moved === true
                ? l10n.t("Candidate #{0} is in {1}, verified again on your current text", candidate.number, name)
                : l10n.t("Candidate #{0} is in {1}, verified on the current text", candidate.number, name);
        window.setStatusBarMessage(`$(check) ${said}`, WHILE);
    }
}

/** Says why nothing was applied, and offers what to do about it. */
async function refused(
    session: Session,
    about: Reviewed,
    document: TextDocument,
    result: ApplyResult,
    inPart: boolean,
): Promise<void> {
    const conflict = l10n.t("Show the Conflict");
    const hunks = l10n.t("Choose Other Hunks");
    const whole = l10n.t("Accept All");
    const retry = l10n.t("Retry on This Text");
    const conflicts = result.conflicts ?? [];
    const offers = [...(conflicts.length > 0 ? [conflict] : []), ...(inPart ? [hunks, whole] : [retry])];
    const reason = sentence(result.reason ?? "");
    const chosen = await regret(inPart ? reason : l10n.t("Nothing was changed: {0}", reason), ...offers);
    const argument = { searchId: about.search.id, candidateId: about.candidate.id };
    if (chosen === conflict) await showConflict(session, about, document, conflicts);
    else if (chosen === hunks) await commands.executeCommand("certo.candidate.acceptHunks", argument);
    else if (chosen === whole) await apply(session, about);
    else if (chosen === retry) await session.searches.retry(about.search, argument);
}

/** Shows the lines that both have changed: those of the document against those of the candidate. */
async function showConflict(
    session: Session,
    { search, candidate }: Reviewed,
    document: TextDocument,
    conflicts: readonly Conflict[],
): Promise<void> {
    const right = session.review.documents.uriOf(search, candidate, "conflict");
    session.review.documents.put(right, withTheirs(document, conflicts));
    const title = l10n.t("{0}: yours ↔ candidate #{1}", nameOf(search), candidate.number);
    await commands.executeCommand("vscode.diff", document.uri, right, title, { preview: true });
}

function withTheirs(document: TextDocument, conflicts: readonly Conflict[]): string {
    const last = [...conflicts].sort((one, other) => other.range.start.line - one.range.start.line);
    return last.reduce((text, { range, theirs }) => {
        const { start, end } = new Range(range.start.line, range.start.character, range.end.line, range.end.character);
        return text.slice(0, document.offsetAt(start)) + theirs + text.slice(document.offsetAt(end));
    }, document.getText());
}
