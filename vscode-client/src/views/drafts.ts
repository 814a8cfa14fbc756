// What is being written for a search, as a document that follows it, for those who want to read along.

import { Disposable, EventEmitter, TabInputText, Uri, l10n, window, workspace } from "vscode";
import type { Event, Tab, TextDocumentContentProvider } from "vscode";

import { said } from "../log";
import type { Reviewed } from "../review/review";
import { frontTab } from "../review/tabs";
import { codeOf } from "../searches/draftText";
import { Pace } from "../searches/pace";
import { madeOf } from "../searches/state";
import type { Draft, Search } from "../searches/state";
import type { Session } from "../session";

const SCHEME = "certo-draft";

/** How long a document rests between two changes, in milliseconds. */
const REST = 300;

/** The document in which what is written on a lane can be read along. */
export function draftUri(searchId: string, slot: number, qualname: string): Uri {
    const name = qualname.split(".").at(-1) ?? qualname;
    const title = l10n.t("{0} (being written)", name);
    return Uri.from({ scheme: SCHEME, path: `/${searchId}/${slot}/${title}.py` });
}

/** Has drafts be read as documents. */
export function registerDrafts(session: Session): Disposable {
    const drafts = new Drafts(session);
    return Disposable.from(drafts, workspace.registerTextDocumentContentProvider(SCHEME, drafts));
}

/** What was read of a draft, and at which attempt of its lane. */
interface Read {
    readonly attempt: number;
    readonly text: string;
}

class Drafts implements TextDocumentContentProvider, Disposable {
    private readonly changed = new EventEmitter<Uri>();
    /** What was last read of each open draft: one that has become a candidate can still be read where its tab is kept. */
    private readonly read = new Map<string, Read>();
    private readonly pace = new Pace(() => {
        this.follow();
    }, REST);
    private readonly listening: Disposable[];

    readonly onDidChange: Event<Uri> = this.changed.event;

    constructor(private readonly session: Session) {
        this.listening = [
            session.searches.onDidChange(() => {
                if (this.read.size > 0) this.pace.ask();
            }),
            workspace.onDidCloseTextDocument((document) => this.read.delete(document.uri.toString())),
        ];
    }

    provideTextDocumentContent(uri: Uri): string {
        const gone = l10n.t("# This draft has ended. The candidates are in the Certo view.");
        const { draft } = this.about(uri);
        const before = this.read.get(uri.toString());
        if (draft === undefined) return before?.text ?? `${gone}\n`;
        const text = codeOf(draft.text);
        this.read.set(uri.toString(), { attempt: draft.attempt, text });
        return text;
    }

    dispose(): void {
        this.pace.dispose();
        this.changed.dispose();
        for (const each of this.listening) each.dispose();
    }

    private follow(): void {
        for (const [name, { attempt, text }] of this.read) {
            const uri = Uri.parse(name);
            const { search, slot, draft } = this.about(uri);
            if (draft?.attempt === attempt) {
                if (codeOf(draft.text) !== text) this.changed.fire(uri);
                continue;
            }
            const candidate = search === undefined ? undefined : madeOf(search, slot, attempt);
            if (search !== undefined && candidate !== undefined && leaves(uri)) {
                this.read.delete(name);
                void this.replace(uri, { search, candidate });
            } else if (draft !== undefined) this.changed.fire(uri);
        }
    }

    /** Puts the diff of the candidate that a draft has become where its tab is, or closes that where it is not seen. */
    private async replace(uri: Uri, about: Reviewed): Promise<void> {
        try {
            if (tabsOf(uri).some((tab) => tab === frontTab())) await this.session.review.show(about, true);
            await window.tabGroups.close(tabsOf(uri), true);
        } catch (error) {
            this.session.log.debug(`${uri.path}: ${said(error)}`);
        }
    }

    private about(uri: Uri): { search: Search | undefined; slot: number; draft: Draft | undefined } {
        const [, searchId = "", name = ""] = uri.path.split("/");
        const search = this.session.searches.get(searchId);
        const slot = Number(name);
        return { search, slot, draft: search?.drafts.get(slot) };
    }
}

/** Whether a draft's tab goes by itself: one that is only looked at, and not kept open. */
function leaves(uri: Uri): boolean {
    const tabs = tabsOf(uri);
    return tabs.length > 0 && tabs.every((tab) => tab.isPreview && !tab.isPinned);
}

function tabsOf(uri: Uri): Tab[] {
    const name = uri.toString();
    return window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter((tab) => tab.input instanceof TabInputText && tab.input.uri.toString() === name);
}
