// Editing a candidate before it is accepted: what is saved is verified, and is then a candidate like any other.

import { CodeLens, EventEmitter, l10n, languages, Range, window, workspace } from "vscode";
import type { CodeLensProvider, Disposable, Event, LogOutputChannel, Memento, TextDocument, Uri } from "vscode";

import { inert } from "../inert";
import { said } from "../log";
import type { Daemon } from "../daemon/daemon";
import type { Searches } from "../searches/searches";
import { scoreLine } from "../searches/words";
import { shownWaiting } from "./patience";
import { addressOf, EDIT } from "./address";
import { Drafts } from "./drafts";
import type { Review, Reviewed } from "./review";
import { tabsWith } from "./tabs";
import { regret } from "../tell";

/** How a document that is edited stands: unsaved or never verified, being verified, or verified as this candidate. */
interface Standing {
    readonly version: number;
    readonly made: Reviewed | undefined;
    readonly refusal: string;
}

/** A version of a document that is being verified. */
interface Asked {
    readonly version: number;
    readonly made: Promise<Reviewed>;
}

/** The candidates that are being edited. */
export class Editing implements CodeLensProvider, Disposable {
    private readonly drafts: Drafts;
    private readonly standings = new Map<string, Standing>();
    private readonly asked = new Map<string, Asked>();
    private readonly changed = new EventEmitter<void>();
    private readonly listening: Disposable[];

    readonly onDidChangeCodeLenses: Event<void> = this.changed.event;

    constructor(
        private readonly daemon: Daemon,
        private readonly searches: Searches,
        private readonly review: Review,
        memory: Memento,
        private readonly log: LogOutputChannel,
    ) {
        this.drafts = new Drafts(memory);
        this.listening = [
            languages.registerCodeLensProvider({ scheme: EDIT }, this),
            workspace.onDidSaveTextDocument((document) => {
                if (document.uri.scheme === EDIT) void this.saved(document);
            }),
            workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
                if (document.uri.scheme === EDIT && contentChanges.length > 0) this.changed.fire();
            }),
            workspace.onDidCloseTextDocument(({ uri }) => {
                if (uri.scheme !== EDIT) return;
                this.standings.delete(uri.toString());
                // A document whose language is changed is closed as well, and stays in its tab.
                if (tabsWith(uri).length === 0) this.drafts.end(uri);
            }),
            workspace.onDidOpenTextDocument((document) => {
                this.findAgain(document);
            }),
            this.searches.onDidChange((changes) => {
                if (changes.some((each) => each.kind !== "changed")) this.changed.fire();
            }),
        ];
    }

    /** Opens a candidate's text to be edited, with the cursor in its function. */
    async open({ search, candidate }: Reviewed): Promise<void> {
        const { made } = await this.review.texts.of(search, candidate);
        const uri = this.drafts.begin(search, candidate, made);
        const line = (candidate.hunks[0]?.line ?? search.line) - 1;
        await window.showTextDocument(uri, { preview: false, selection: new Range(line, 0, line, 0) });
    }

    /**
     * The candidate that an edited document is, which is saved and verified first where that was not done.
     *
     * @throws Refusal when it cannot be verified; Error when it did not pass.
     */
    async passed(uri: Uri): Promise<Reviewed> {
        const document = await workspace.openTextDocument(uri);
        if (document.isDirty) await document.save();
        const made = await this.verified(document);
        if (made.candidate.passed === true) return made;
        throw new Error(l10n.t("Your edit failed: {0}. Change it and save again.", scoreLine(made.candidate, l10n)));
    }

    /** Closes the document that a candidate was edited in. */
    async close(uri: Uri): Promise<void> {
        await window.tabGroups.close(tabsWith(uri), true);
    }

    provideCodeLenses(document: TextDocument): CodeLens[] {
        const about = addressOf(document.uri);
        const search = about === undefined ? undefined : this.searches.get(about.searchId);
        const at = new Range(0, 0, 0, 0);
        if (search === undefined) {
            return [new CodeLens(at, { title: l10n.t("This search no longer exists"), command: "" })];
        }
        const standing = this.standings.get(document.uri.toString());
        if (this.asked.has(document.uri.toString())) {
            return [new CodeLens(at, { title: l10n.t("$(sync~spin) Verifying your edit"), command: "" })];
        }
        if (standing?.version !== document.version) {
            return [
                new CodeLens(at, {
                    title: l10n.t("$(beaker) Save to Verify Your Edit"),
                    command: "workbench.action.files.save",
                }),
            ];
        }
        if (standing.made === undefined) return [new CodeLens(at, { title: inert(standing.refusal), command: "" })];
        const { candidate } = standing.made;
        const argument = { searchId: search.id, candidateId: candidate.id };
        const lens = (title: string, command: string): CodeLens =>
            new CodeLens(at, { title, command, arguments: [argument] });
        return [
            lens(scoreLine(candidate, l10n), "certo.candidate.report"),
            ...(candidate.passed === true ? [lens(l10n.t("Accept"), "certo.candidate.accept")] : []),
            lens(l10n.t("Show Diff"), "certo.candidate.diff"),
        ];
    }

    dispose(): void {
        for (const each of this.listening) each.dispose();
        this.drafts.dispose();
        this.changed.dispose();
    }

    /** Opens the document that a file from before a reload is for: the server knows of a search again when it has seen that. */
    private findAgain({ uri }: TextDocument): void {
        const about = uri.scheme === EDIT ? this.drafts.about(uri) : undefined;
        if (about === undefined || this.searches.get(addressOf(uri)?.searchId ?? "") !== undefined) return;
        workspace.openTextDocument(about).then(undefined, (error: unknown) => {
            this.log.debug(said(error));
        });
    }

    private async saved(document: TextDocument): Promise<void> {
        try {
            const { search, candidate } = await this.verified(document);
            await this.review.remark({ search, candidate }, document.uri);
            const named = l10n.t("Candidate #{0}, which you edited: {1}", candidate.number, scoreLine(candidate, l10n));
            window.setStatusBarMessage(named, 8000);
        } catch (error) {
            this.log.info(said(error));
            void regret(said(error));
        }
    }

    /** Has a saved text verified, once however often it is asked for; what is verified is the text as it is then. */
    private async verified(document: TextDocument): Promise<Reviewed> {
        const key = document.uri.toString();
        const { version } = document;
        const known = this.standings.get(key);
        if (known?.version === version && known.made !== undefined) return known.made;
        const under = this.asked.get(key);
        if (under?.version === version) return await under.made;
        const asking = this.ask(document);
        const mine: Asked = { version, made: asking };
        this.asked.set(key, mine);
        this.changed.fire();
        try {
            const made = await shownWaiting(l10n.t("Verifying your edit"), asking);
            this.stand(key, { version, made, refusal: "" });
            return made;
        } catch (error) {
            this.stand(key, { version, made: undefined, refusal: said(error) });
            throw error;
        } finally {
            // What was saved since is being verified under the same name.
            if (this.asked.get(key) === mine) this.asked.delete(key);
            this.changed.fire();
        }
    }

    /** Takes note of how a document stands, unless that of a later version is known already. */
    private stand(key: string, standing: Standing): void {
        if ((this.standings.get(key)?.version ?? 0) <= standing.version) this.standings.set(key, standing);
    }

    private async ask(document: TextDocument): Promise<Reviewed> {
        const about = addressOf(document.uri);
        const search = about === undefined ? undefined : this.searches.get(about.searchId);
        if (about === undefined || search === undefined) {
            throw new Error(l10n.t("The search of this candidate no longer exists. Start another one."));
        }
        this.review.say(document.uri, []);
        const { candidateId } = await this.daemon.ask("certo/candidate/edited", {
            searchId: search.id,
            candidateId: about.candidateId,
            text: document.getText(),
        });
        await this.searches.catchUp(search);
        const made = this.review.at(search.id, candidateId);
        if (made === undefined) throw new Error(l10n.t("Certo has not received your edit. Save the file again."));
        return made;
    }
}
