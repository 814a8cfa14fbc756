// Reviewing: a candidate is shown against the document, the next and the previous one take its place.

import { commands, languages, l10n, MarkdownString, Range, TextEditorRevealType, Uri, window, workspace } from "vscode";
import type { Diagnostic, DiagnosticCollection, Disposable, LogOutputChannel, TextDocument, TextEditor } from "vscode";
import { DocumentDiagnosticRequest } from "vscode-languageclient/node";

import type { Daemon } from "../daemon/daemon";
import { inert, visible } from "../inert";
import { said } from "../log";
import { cardOf } from "../searches/card";
import type { Searches } from "../searches/searches";
import { shown } from "../searches/state";
import type { Candidate, Search } from "../searches/state";
import { rightInShort, wrongInShort } from "../searches/whyRight";
import { SERVED } from "./address";
import { ReviewDocuments } from "./documents";
import { firstChange } from "./carried";
import { Remarks } from "./remarks";
import type { Remark } from "./remarks";
import { diffTabs, frontTab, isDecision, reviewed, tabsOf } from "./tabs";
import { CandidateTexts, quickly } from "./texts";
import { diffTitle } from "./titles";

/** How long after a keystroke the open diff is made anew, in milliseconds. */
const PATIENCE = 300;

/** A search, and the candidate of it that is looked at. */
export interface Reviewed {
    readonly search: Search;
    readonly candidate: Candidate;
}

/** The diffs of candidates, of which there is one at a time. */
export class Review implements Disposable {
    readonly texts: CandidateTexts;
    readonly documents: ReviewDocuments;
    readonly remarks = new Remarks();
    private readonly found: DiagnosticCollection = languages.createDiagnosticCollection("certo-review");
    private readonly listening: Disposable[];
    private timer: NodeJS.Timeout | undefined;
    /** The document that was shown last with exactly the text of its candidate, and whether its strength was known. */
    private exact: (Reviewed & { readonly uri: Uri; readonly measured: boolean }) | undefined;

    constructor(
        private readonly daemon: Daemon,
        private readonly searches: Searches,
        private readonly log: LogOutputChannel,
    ) {
        this.texts = new CandidateTexts(daemon);
        this.documents = new ReviewDocuments(searches, this.texts);
        this.listening = [
            window.tabGroups.onDidChangeTabs(() => {
                this.tell();
            }),
            window.tabGroups.onDidChangeTabGroups(() => {
                this.tell();
            }),
            workspace.onDidChangeTextDocument((change) => {
                if (change.contentChanges.length > 0) this.follow(change.document);
            }),
            searches.onDidChange((changes) => {
                for (const { kind, search } of changes) if (kind === "removed") this.alone(this.close(search));
                const { exact } = this;
                // Strength is measured when the search is over, and the diff may be open by then.
                if (exact !== undefined && exact.measured !== (exact.candidate.strength !== null))
                    this.alone(this.remark(exact, exact.uri));
            }),
        ];
        this.tell();
    }

    /** The candidate whose document is in front; undefined when another document is. */
    get front(): Reviewed | undefined {
        const address = reviewed(frontTab())?.address;
        return address === undefined ? undefined : this.at(address.searchId, address.candidateId);
    }

    /** The candidate that a document of ours is about. */
    at(searchId: string, candidateId: string): Reviewed | undefined {
        const search = this.searches.get(searchId);
        const candidate = search?.candidates.get(candidateId);
        return search === undefined || candidate === undefined ? undefined : { search, candidate };
    }

    /**
     * Shows the diff of a candidate, in place of any other that is open.
     *
     * @throws Refusal when the server does not know it any more.
     */
    async show({ search, candidate }: Reviewed, keepFocus: boolean): Promise<void> {
        const { fit, text, why } = await this.texts.fitted(search, candidate);
        const { documents } = this;
        const side = fit === "apart" ? "made" : "now";
        const right = documents.uriOf(search, candidate, side);
        documents.put(right, text);
        let left = Uri.parse(search.uri);
        if (fit === "apart") {
            left = documents.uriOf(search, candidate, "base");
            documents.put(left, (await this.texts.of(search, candidate)).base);
        }
        const title = diffTitle(search, candidate, fit, l10n);
        const old = diffTabs();
        const first = firstChange(text, candidate.hunks);
        const shows = new Set([...(await this.showOthers({ search, candidate })), right.toString()]);
        await commands.executeCommand("vscode.diff", left, right, title, {
            preview: true,
            preserveFocus: keepFocus,
            selection: new Range(first, 0, first, 0),
        });
        const others = old.filter((tab) => !shows.has(reviewed(tab)?.uri.toString() ?? ""));
        await window.tabGroups.close(
            others.filter((tab) => diffTabs().includes(tab)),
            true,
        );
        if (why !== "") window.setStatusBarMessage(`$(info) Certo: ${inert(why)}`, 8000);
        if (fit === "same" || fit === "apart") await this.remark({ search, candidate }, right);
    }

    /** Shows the diffs of the other files that a candidate changes, in tabs of their own; returns what they show. */
    private async showOthers({ search, candidate }: Reviewed): Promise<string[]> {
        const shows: string[] = [];
        for (const change of candidate.elsewhere) {
            const left = this.documents.uriOfOther(search, candidate, change, "otherBase");
            const right = this.documents.uriOfOther(search, candidate, change, "other");
            const title = l10n.t("{0}: candidate #{1}", change.path, candidate.number);
            await commands.executeCommand("vscode.diff", left, right, title, { preview: false, preserveFocus: true });
            shows.push(right.toString());
        }
        return shows;
    }

    /** Shows the next candidate in the order of the list, or the one before; around its ends. */
    async step(from: Reviewed, steps: 1 | -1): Promise<void> {
        const order = shown(from.search);
        const at = order.findIndex((each) => each.id === from.candidate.id);
        const next = order[(at + steps + order.length) % order.length];
        if (next === undefined) return;
        const before = rightEditor();
        const [top] = before?.visibleRanges ?? [];
        const selection = before?.selection;
        await this.show({ search: from.search, candidate: next }, false);
        const after = rightEditor();
        if (after === undefined || top === undefined || selection === undefined) return;
        after.selection = selection;
        after.revealRange(new Range(top.start, top.start), TextEditorRevealType.AtTop);
    }

    /** Closes every document about the candidates of a search, and lets go of their texts. */
    async close(search: Search): Promise<void> {
        this.texts.forget(search);
        const tabs = tabsOf(search.id).filter((tab) => !tab.isDirty);
        if (tabs.length > 0) await window.tabGroups.close(tabs, true);
        this.documents.forget(search);
    }

    /** Shows what verifiers found in a candidate and what no test notices, in a document that has exactly its text. */
    async remark({ search, candidate }: Reviewed, uri: Uri): Promise<void> {
        const { client } = this.daemon;
        const measured = candidate.strength !== null;
        this.exact = { search, candidate, uri, measured };
        this.remarks.put(uri, ...reasonsAt({ search, candidate }));
        if (client === undefined || (candidate.passed !== false && !measured)) return;
        const name = uri.path.split("/").at(-1) ?? "";
        const served = Uri.from({ scheme: SERVED, path: `/${search.id}/${candidate.id}/text/${name}` });
        const report = await client.sendRequest(DocumentDiagnosticRequest.type, {
            textDocument: { uri: served.toString() },
        });
        const found = report.kind === "full" ? await client.protocol2CodeConverter.asDiagnostics(report.items) : [];
        this.say(uri, found);
    }

    /** Shows these findings in a document, and no others. */
    say(uri: Uri, found: readonly Diagnostic[]): void {
        this.found.set(uri, found);
    }

    dispose(): void {
        clearTimeout(this.timer);
        for (const each of this.listening) each.dispose();
        this.documents.dispose();
        this.remarks.dispose();
        this.found.dispose();
    }

    /** Tells the keys and buttons whether they apply, and takes back what was said of documents that are closed. */
    private tell(): void {
        void commands.executeCommand("setContext", "certo.reviewing", isDecision(frontTab()));
        const open = new Set(
            window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => reviewed(tab)?.uri.toString())),
        );
        this.found.forEach((of) => {
            if (!open.has(of.toString())) this.found.delete(of);
        });
    }

    /** Has the open diff follow what the user types. */
    private follow(document: TextDocument): void {
        const uri = document.uri.toString();
        if (!diffTabs().some((tab) => this.isAbout(tab, uri))) return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
            this.alone(this.refit(document));
        }, PATIENCE);
    }

    private async refit(document: TextDocument): Promise<void> {
        for (const tab of diffTabs()) {
            const shows = reviewed(tab);
            if (shows?.address.side !== "now" || !this.isAbout(tab, document.uri.toString())) continue;
            const about = this.at(shows.address.searchId, shows.address.candidateId);
            if (about === undefined) continue;
            const texts = await this.texts.of(about.search, about.candidate);
            const fitted = quickly(document, texts, about.candidate);
            if (fitted !== undefined) this.documents.put(shows.uri, fitted.text);
        }
    }

    /** Lets something go on that nobody has asked for: what goes wrong with it is only logged. */
    private alone(act: Promise<void>): void {
        act.catch((error: unknown) => {
            this.log.debug(`review: ${said(error)}`);
        });
    }

    private isAbout(tab: Parameters<typeof reviewed>[0], uri: string): boolean {
        const address = reviewed(tab)?.address;
        return address !== undefined && this.searches.get(address.searchId)?.uri === uri;
    }
}

/** Why a candidate is right: how it was before behind the function, what shows it now behind what it changes. */
function reasonsAt({ search, candidate }: Reviewed): Remark[] {
    const [hunk] = candidate.hunks;
    if (!candidate.verified || hunk === undefined) return [];
    const more = new MarkdownString(cardOf(search, candidate, false, l10n));
    const said: Remark[] = [
        { line: search.line - 1, text: wrongInShort(search, l10n), more },
        { line: hunk.line - 1, text: rightInShort(candidate, l10n), more },
    ];
    return said.filter(({ text }) => text !== "").map((each) => ({ ...each, text: visible(each.text) }));
}

/** The right side of the diff in front. */
function rightEditor(): TextEditor | undefined {
    const uri = reviewed(frontTab())?.uri.toString();
    return window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri);
}
