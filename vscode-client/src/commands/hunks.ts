// The hunks of candidates as a list of which the user ticks some; the diff beside shows the one that the list is at.

import { l10n, QuickPickItemKind, Range, TextEditorRevealType, ThemeIcon, window } from "vscode";
import type { QuickPick, QuickPickItem } from "vscode";

import { inert } from "../inert";
import type { NumberedHunk } from "../protocol";
import { LOOK } from "../review/address";
import type { Reviewed } from "../review/review";
import type { Session } from "../session";

/** A hunk of a candidate in the list, or the heading above those of one candidate. */
export interface HunkRow extends QuickPickItem {
    readonly candidateId: string;
    readonly hunk: NumberedHunk | undefined;
}

/** The rows of a candidate's hunks, each ticked if the candidate is. */
export async function hunkRows(
    session: Session,
    { search, candidate }: Reviewed,
    picked: boolean,
): Promise<readonly HunkRow[]> {
    const { hunks } = await session.daemon.ask("certo/candidate/get", {
        searchId: search.id,
        candidateId: candidate.id,
        want: ["hunks"],
    });
    return (hunks ?? []).map((hunk) => row(candidate.id, hunk, picked));
}

/** The heading above the hunks of one candidate. */
export function heading(label: string): HunkRow {
    return { label, kind: QuickPickItemKind.Separator, candidateId: "", hunk: undefined };
}

function row(candidateId: string, hunk: NumberedHunk, picked: boolean): HunkRow {
    const { start, end } = hunk.range;
    const added = hunk.lines.filter((line) => line.startsWith("+")).length;
    const removed = hunk.lines.length - added;
    const where =
        end.line - start.line > 1
            ? l10n.t("Lines {0} to {1}", start.line + 1, end.line)
            : l10n.t("Line {0}", start.line + 1);
    return {
        label: where,
        description: l10n.t("{0} added, {1} removed", added, removed),
        detail: inert(hunk.lines.map((line) => `${line.slice(0, 1)} ${line.slice(1).trim()}`).join("   ")),
        iconPath: new ThemeIcon("diff"),
        picked,
        candidateId,
        hunk,
    };
}

/** Has the user tick rows; undefined when the list was left. */
export function chooseHunks(
    rows: readonly HunkRow[],
    title: string,
    placeholder: string,
): Promise<readonly HunkRow[] | undefined> {
    const pick: QuickPick<HunkRow> = window.createQuickPick<HunkRow>();
    pick.title = title;
    pick.placeholder = placeholder;
    pick.canSelectMany = true;
    pick.items = rows;
    pick.selectedItems = rows.filter((each) => each.picked === true);
    pick.ignoreFocusOut = true;
    return new Promise((resolve) => {
        const listening: { dispose(): unknown }[] = [
            pick,
            pick.onDidChangeActive(([active]) => {
                if (active?.hunk !== undefined) reveal(active.hunk);
            }),
            pick.onDidAccept(() => {
                resolve(pick.selectedItems);
                pick.hide();
            }),
            pick.onDidHide(() => {
                resolve(undefined);
                for (const each of listening) each.dispose();
            }),
        ];
        pick.show();
    });
}

/** Shows the lines that a hunk takes away, on the side of the document. */
function reveal(hunk: NumberedHunk): void {
    for (const editor of window.visibleTextEditors) {
        if (editor.document.uri.scheme === LOOK) {
            const { start, end } = hunk.range;
            editor.revealRange(new Range(start.line, 0, end.line, 0), TextEditorRevealType.InCenter);
        }
    }
}
