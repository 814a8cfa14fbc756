// The texts that a review shows, as documents that nobody can change.

import { EventEmitter, l10n, Uri, workspace } from "vscode";
import type { Disposable, Event, TextDocumentContentProvider } from "vscode";

import { said } from "../log";
import type { FileChange } from "../protocol";
import type { Candidate, Search } from "../searches/state";
import type { Searches } from "../searches/searches";
import { addressOf, LOOK, partsOf, pythonName } from "./address";
import type { Side } from "./address";
import type { CandidateTexts } from "./texts";

/** Serves the documents of reviews. */
export class ReviewDocuments implements TextDocumentContentProvider, Disposable {
    private readonly texts = new Map<string, string>();
    private readonly changed = new EventEmitter<Uri>();
    private readonly registration: Disposable;

    readonly onDidChange: Event<Uri> = this.changed.event;

    constructor(
        private readonly searches: Searches,
        private readonly candidates: CandidateTexts,
    ) {
        this.registration = workspace.registerTextDocumentContentProvider(LOOK, this);
    }

    /** Where a side of a candidate is shown. */
    uriOf(search: Search, candidate: Candidate, side: Side): Uri {
        const address = { searchId: search.id, candidateId: candidate.id, side };
        return Uri.from(partsOf(LOOK, address, pythonName(Uri.parse(search.uri).path)));
    }

    /** Where a side of another file that a candidate changes is shown. */
    uriOfOther(search: Search, candidate: Candidate, change: FileChange, side: "other" | "otherBase"): Uri {
        return Uri.from(partsOf(LOOK, { searchId: search.id, candidateId: candidate.id, side }, change.path));
    }

    /** Has a document show this text from now on. */
    put(uri: Uri, text: string): void {
        const key = uri.toString();
        if (this.texts.get(key) === text) return;
        this.texts.set(key, text);
        this.changed.fire(uri);
    }

    /** The text of a document; a sentence where there is nothing to show any more. */
    async provideTextDocumentContent(uri: Uri): Promise<string> {
        return this.texts.get(uri.toString()) ?? (await this.anew(uri));
    }

    /** Lets go of the texts of a search. */
    forget(search: Search): void {
        for (const key of this.texts.keys()) {
            if (addressOf(Uri.parse(key))?.searchId === search.id) this.texts.delete(key);
        }
    }

    dispose(): void {
        this.registration.dispose();
        this.changed.dispose();
    }

    /** Makes the text of a document that was open when the window was loaded. */
    private async anew(uri: Uri): Promise<string> {
        const address = addressOf(uri);
        const search = address === undefined ? undefined : this.searches.get(address.searchId);
        const candidate = address === undefined ? undefined : search?.candidates.get(address.candidateId);
        if (address === undefined || search === undefined || candidate === undefined) {
            return `# ${l10n.t("The search of this candidate no longer exists. Start another one.")}\n`;
        }
        try {
            return otherText(candidate, address.side, uri) ?? (await this.ownText(search, candidate, address.side));
        } catch (error) {
            return `# ${said(error)}\n`;
        }
    }

    private async ownText(search: Search, candidate: Candidate, side: Side): Promise<string> {
        const { base, made } = await this.candidates.of(search, candidate);
        if (side !== "now") return side === "base" ? base : made;
        return (await this.candidates.fitted(search, candidate)).text;
    }
}

/** A side of another file that a candidate changes; undefined where the document shows its own. */
function otherText(candidate: Candidate, side: Side, uri: Uri): string | undefined {
    if (side !== "other" && side !== "otherBase") return undefined;
    const change = candidate.elsewhere.find(({ path }) => `/${path}` === uri.path);
    return (side === "other" ? change?.after : change?.before) ?? "";
}
