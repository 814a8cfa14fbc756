// What the user makes of candidates, kept in memory as files of a scheme of its own: saving one is asking for a verdict.

import { Disposable, EventEmitter, FileChangeType, FileSystemError, FileType, l10n, Uri, workspace } from "vscode";
import type { Event, FileChangeEvent, FileStat, FileSystemProvider } from "vscode";

import { shortName } from "../searches/searchWords";
import type { Candidate, Search } from "../searches/state";
import { EDIT, partsOf } from "./address";

interface Draft {
    readonly created: number;
    changed: number;
    content: Uint8Array;
}

/** Files that are nowhere but here, and are gone with the window. */
export class Drafts implements FileSystemProvider, Disposable {
    private readonly files = new Map<string, Draft>();
    private readonly written = new EventEmitter<FileChangeEvent[]>();
    private readonly registration: Disposable;

    readonly onDidChangeFile: Event<FileChangeEvent[]> = this.written.event;

    constructor() {
        this.registration = workspace.registerFileSystemProvider(EDIT, this, { isCaseSensitive: true });
    }

    /** A file to edit a candidate in, with its text when it is new. */
    begin(search: Search, candidate: Candidate, text: string): Uri {
        const name = l10n.t("{0} (candidate #{1}).py", shortName(search.qualname), candidate.number);
        const address = { searchId: search.id, candidateId: candidate.id, side: "made" } as const;
        const uri = Uri.from(partsOf(EDIT, address, name));
        if (!this.files.has(uri.toString())) {
            const now = Date.now();
            this.files.set(uri.toString(), { created: now, changed: now, content: new TextEncoder().encode(text) });
        }
        return uri;
    }

    /** Lets go of a file. */
    end(uri: Uri): void {
        this.files.delete(uri.toString());
    }

    stat(uri: Uri): FileStat {
        const draft = this.draft(uri);
        return { type: FileType.File, ctime: draft.created, mtime: draft.changed, size: draft.content.byteLength };
    }

    readFile(uri: Uri): Uint8Array {
        return this.draft(uri).content;
    }

    writeFile(uri: Uri, content: Uint8Array): void {
        const draft = this.draft(uri);
        draft.content = content;
        draft.changed = Math.max(Date.now(), draft.changed + 1);
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

    private draft(uri: Uri): Draft {
        const draft = this.files.get(uri.toString());
        if (draft === undefined) throw FileSystemError.FileNotFound(gone(uri));
        return draft;
    }
}

function gone(uri: Uri): string {
    return l10n.t(
        "{0} was edited in another window, or before this one was loaded; edit the candidate again.",
        uri.path,
    );
}
