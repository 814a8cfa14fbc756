// What is being written for a search, as a document that follows it, for those who want to read along.

import { Disposable, EventEmitter, Uri, l10n, workspace } from "vscode";
import type { Event, TextDocumentContentProvider } from "vscode";

import { codeOf } from "../searches/draftText";
import { Pace } from "../searches/pace";
import type { Session } from "../session";

const SCHEME = "certo-draft";

/** How long a document rests between two changes, in milliseconds. */
const REST = 300;

/** The document in which what is written on a line of tries can be read along. */
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

class Drafts implements TextDocumentContentProvider, Disposable {
    private readonly changed = new EventEmitter<Uri>();
    /** What was last read of each open draft: a draft that has become a candidate can still be read. */
    private readonly read = new Map<string, string>();
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
        const gone = l10n.t("# Nothing is being written here any more: the candidates are in the Certo view.");
        const text = this.now(uri) ?? this.read.get(uri.toString()) ?? `${gone}\n`;
        this.read.set(uri.toString(), text);
        return text;
    }

    dispose(): void {
        this.pace.dispose();
        this.changed.dispose();
        for (const each of this.listening) each.dispose();
    }

    private follow(): void {
        for (const [name, known] of this.read) {
            const uri = Uri.parse(name);
            const text = this.now(uri);
            if (text !== undefined && text !== known) this.changed.fire(uri);
        }
    }

    private now(uri: Uri): string | undefined {
        const [, searchId = "", slot = ""] = uri.path.split("/");
        const draft = this.session.searches.get(searchId)?.drafts.get(Number(slot));
        return draft === undefined ? undefined : codeOf(draft.text);
    }
}
