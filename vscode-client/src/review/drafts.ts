// What the user makes of candidates, as files of a scheme of its own: saving one is asking for a verdict.

import { Disposable, EventEmitter, FileChangeType, FileSystemError, FileType, l10n, Uri, workspace } from "vscode";
import type { Event, FileChangeEvent, FileStat, FileSystemProvider, Memento } from "vscode";

import { nameOf } from "../searches/searchWords";
import type { Candidate, Search } from "../searches/state";
import { EDIT, partsOf } from "./address";

/** One file, as it is kept with the workspace. */
interface Draft {
    readonly uri: string;
    /** The document that the candidate is for. */
    readonly about: string;
    readonly created: number;
    readonly changed: number;
    readonly text: string;
}

/** Where drafts are kept when the window is loaded anew, and how many at most: some may be left of windows that died. */
const KEPT = "certo.drafts";
const MOST = 20;

/** Files that are kept with the workspace for as long as they are open, and nowhere else. */
export class Drafts implements FileSystemProvider, Disposable {
    private readonly files: Map<string, Draft>;
    private readonly written = new EventEmitter<FileChangeEvent[]>();
    private readonly registration: Disposable;

    readonly onDidChangeFile: Event<FileChangeEvent[]> = this.written.event;

    constructor(private readonly memory: Memento) {
        this.files = new Map(memory.get<readonly Draft[]>(KEPT, []).map((draft) => [draft.uri, draft]));
        this.registration = workspace.registerFileSystemProvider(EDIT, this, { isCaseSensitive: true });
    }

    /** A file to edit a candidate in, with its text when it is new. */
    begin(search: Search, candidate: Candidate, text: string): Uri {
        const name = l10n.t("{0} (candidate #{1}).py", nameOf(search), candidate.number);
        const address = { searchId: search.id, candidateId: candidate.id, side: "made" } as const;
        const uri = Uri.from(partsOf(EDIT, address, name));
        if (!this.files.has(uri.toString())) {
            const now = Date.now();
            this.put({ uri: uri.toString(), about: search.uri, created: now, changed: now, text });
        }
        return uri;
    }

    /** The document that the candidate of a file is for; undefined where there is no such file. */
    about(uri: Uri): Uri | undefined {
        const about = this.files.get(uri.toString())?.about;
        return about === undefined ? undefined : Uri.parse(about);
    }

    /** Lets go of a file. */
    end(uri: Uri): void {
        if (this.files.delete(uri.toString())) this.keep();
    }

    stat(uri: Uri): FileStat {
        const draft = this.draft(uri);
        return { type: FileType.File, ctime: draft.created, mtime: draft.changed, size: encoded(draft).byteLength };
    }

    readFile(uri: Uri): Uint8Array {
        return encoded(this.draft(uri));
    }

    writeFile(uri: Uri, content: Uint8Array): void {
        const draft = this.draft(uri);
        const changed = Math.max(Date.now(), draft.changed + 1);
        this.put({ ...draft, changed, text: new TextDecoder().decode(content) });
        this.written.fire([{ type: FileChangeType.Changed, uri }]);
    }

    watch(): Disposable {
        return new Disposable(() => undefined);
    }

    readDirectory(): [string, FileType][] {
        return [];
    }

    createDirectory(uri: Uri): void {
        throw FileSystemError.NoPermissions(uri);
    }

    delete(uri: Uri): void {
        throw FileSystemError.NoPermissions(uri);
    }

    rename(uri: Uri): void {
        throw FileSystemError.NoPermissions(uri);
    }

    dispose(): void {
        this.registration.dispose();
        this.written.dispose();
    }

    private put(draft: Draft): void {
        // What was changed last comes last.
        this.files.delete(draft.uri);
        this.files.set(draft.uri, draft);
        this.keep();
    }

    private keep(): void {
        void this.memory.update(KEPT, [...this.files.values()].slice(-MOST));
    }

    private draft(uri: Uri): Draft {
        const draft = this.files.get(uri.toString());
        if (draft === undefined) throw FileSystemError.FileNotFound(gone(uri));
        return draft;
    }
}

function encoded(draft: Draft): Uint8Array {
    return new TextEncoder().encode(draft.text);
}

function gone(uri: Uri): string {
    return l10n.t("{0} was edited in another window, or closed there; edit the candidate again.", uri.path);
}
