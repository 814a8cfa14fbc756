// The texts of candidates: fetched once, for they never change, and fitted to the document as it is now.

import { l10n, Position, Uri, workspace } from "vscode";
import type { TextDocument } from "vscode";

import type { Daemon } from "../daemon/daemon";
import type { EditorEdit } from "../protocol";
import type { Candidate, Search } from "../searches/state";
import { originalOf, carried, sameText } from "./carried";
import type { Fit } from "./titles";

/** What the search began with, and what a candidate makes of it. */
export interface Texts {
    readonly base: string;
    readonly made: string;
}

/** A candidate's text as it is to be looked at, and why it could not be fitted to the document, if so. */
export interface Fitted {
    readonly fit: Fit;
    readonly text: string;
    readonly why: string;
}

/** Knows the texts of candidates. */
export class CandidateTexts {
    private readonly known = new Map<string, Texts>();

    constructor(private readonly daemon: Daemon) {}

    /**
     * The texts of a candidate.
     *
     * @throws Refusal when the server does not know it any more.
     */
    async of(search: Search, candidate: Candidate): Promise<Texts> {
        const known = this.known.get(candidate.id);
        if (known !== undefined) return known;
        const { text } = await this.daemon.ask("certo/candidate/get", {
            searchId: search.id,
            candidateId: candidate.id,
            want: ["text"],
        });
        const made = text ?? "";
        const texts = { made, base: originalOf(made, candidate.hunks) };
        this.known.set(candidate.id, texts);
        return texts;
    }

    /** What accepting a candidate would give; where that cannot be said, what it makes of the text it was found for. */
    async fitted(search: Search, candidate: Candidate): Promise<Fitted> {
        const texts = await this.of(search, candidate);
        const { made } = texts;
        const document = await workspace.openTextDocument(Uri.parse(search.uri));
        const quick = quickly(document, texts, candidate);
        if (quick !== undefined) return quick;
        const why = l10n.t("The function was changed since the search began.");
        if (candidate.passed !== true) return { fit: "apart", text: made, why };
        const result = await this.daemon.ask("certo/candidate/rebase", {
            searchId: search.id,
            candidateId: candidate.id,
        });
        if (result.edits === undefined || result.edits === null || result.version !== document.version) {
            return { fit: "apart", text: made, why: result.reason ?? why };
        }
        return { fit: "merged", text: edited(document, result.edits), why: "" };
    }

    /** Forgets the texts of a search's candidates. */
    forget(search: Search): void {
        for (const id of search.candidates.keys()) this.known.delete(id);
    }
}

/** What accepting gives, where that can be said without the server: nothing was changed, or only elsewhere. */
export function quickly(document: TextDocument, { base, made }: Texts, candidate: Candidate): Fitted | undefined {
    const now = document.getText();
    if (sameText(now, base)) return { fit: "same", text: made, why: "" };
    const moved = carried(base, now, candidate.hunks);
    return moved === undefined ? undefined : { fit: "moved", text: moved, why: "" };
}

/** A document's text with edits made, which are for this version of it. */
function edited(document: TextDocument, edits: readonly EditorEdit[]): string {
    const placed = edits
        .map(({ range, newText }) => ({
            start: document.offsetAt(new Position(range.start.line, range.start.character)),
            end: document.offsetAt(new Position(range.end.line, range.end.character)),
            newText,
        }))
        .sort((one, other) => other.start - one.start);
    return placed.reduce(
        (text, edit) => text.slice(0, edit.start) + edit.newText + text.slice(edit.end),
        document.getText(),
    );
}
