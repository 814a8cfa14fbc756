// Accepts only some hunks of a candidate, which the server verifies as a candidate of their own.

import { l10n, Range, TextEditorRevealType, ThemeIcon, window } from "vscode";
import type { QuickPick, QuickPickItem } from "vscode";

import { inert } from "../inert";
import type { NumberedHunk } from "../protocol";
import { LOOK } from "../review/address";
import type { Session } from "../session";
import { apply } from "./applying";
import { aboutCandidate } from "./argument";

interface Row extends QuickPickItem {
    readonly hunk: NumberedHunk;
}

/** Lets the user choose hunks, and has these applied when they pass without the others. */
export async function acceptHunks(session: Session, argument: unknown): Promise<void> {
    const about = aboutCandidate(session, argument);
    const { search, candidate } = about;
    if (candidate.passed !== true) {
        throw new Error(l10n.t("Candidate #{0} did not pass, so no part of it can be accepted.", candidate.number));
    }
    const { hunks } = await session.daemon.ask("certo/candidate/get", {
        searchId: search.id,
        candidateId: candidate.id,
        want: ["hunks"],
    });
    const rows = (hunks ?? []).map(row);
    if (rows.length > 1) await session.review.show(about, true);
    const chosen = rows.length > 1 ? await choose(rows, candidate.number) : rows;
    if (chosen === undefined || chosen.length === 0) return;
    const all = chosen.length === rows.length;
    await apply(session, about, all ? undefined : chosen.map(({ hunk }) => hunk.number));
}

function row(hunk: NumberedHunk): Row {
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
        picked: true,
        hunk,
    };
}

/** Has the user choose; the diff beside shows the hunk that the list is at. */
function choose(rows: readonly Row[], number: number): Promise<readonly Row[] | undefined> {
    const pick: QuickPick<Row> = window.createQuickPick<Row>();
    pick.title = l10n.t("Accept by Hunk: Candidate #{0}", number);
    pick.placeholder = l10n.t("Your choice is verified without the rest before it is applied");
    pick.canSelectMany = true;
    pick.items = rows;
    pick.selectedItems = rows;
    pick.ignoreFocusOut = true;
    return new Promise((resolve) => {
        const listening: { dispose(): unknown }[] = [
            pick,
            pick.onDidChangeActive(([active]) => {
                if (active !== undefined) reveal(active.hunk);
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
