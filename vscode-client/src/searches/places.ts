// Where the function of each search stands now, in the text as the user has it.

import { EventEmitter, Range, workspace } from "vscode";
import type { Disposable, Event, LogOutputChannel, TextDocument } from "vscode";
import { CodeLensRequest } from "vscode-languageclient/node";

import type { Daemon } from "../daemon/daemon";
import { said } from "../log";
import type { Searches } from "./searches";

/** How long after a change the places are asked for, in milliseconds. */
const PATIENCE = 120;

/** The places of all searches in open documents. The server finds them, for it knows the function by its name. */
export class Places implements Disposable {
    private readonly found = new Map<string, Range>();
    private readonly moved = new EventEmitter<TextDocument>();
    private readonly timers = new Map<string, NodeJS.Timeout>();
    private readonly listening: Disposable[];

    /** Tells of a document whose places are known anew. */
    readonly onDidChange: Event<TextDocument> = this.moved.event;

    constructor(
        private readonly daemon: Daemon,
        private readonly searches: Searches,
        private readonly log: LogOutputChannel,
    ) {
        this.listening = [
            workspace.onDidChangeTextDocument((change) => {
                if (change.contentChanges.length > 0) this.look(change.document, PATIENCE);
            }),
            workspace.onDidOpenTextDocument((document) => {
                this.look(document, 0);
            }),
            searches.onDidChange((changes) => {
                const uris = new Set(changes.filter((each) => each.kind !== "changed").map((each) => each.search.uri));
                for (const document of workspace.textDocuments) {
                    if (uris.has(document.uri.toString())) this.look(document, 0);
                }
            }),
        ];
    }

    /** The line of the function's `def`; undefined where it is not in an open document. */
    of(searchId: string): Range | undefined {
        return this.found.get(searchId);
    }

    dispose(): void {
        for (const timer of this.timers.values()) clearTimeout(timer);
        for (const each of this.listening) each.dispose();
        this.moved.dispose();
    }

    private look(document: TextDocument, patience: number): void {
        const uri = document.uri.toString();
        if (this.searches.of(uri).length === 0) return;
        clearTimeout(this.timers.get(uri));
        this.timers.set(
            uri,
            setTimeout(() => {
                this.timers.delete(uri);
                this.ask(document).catch((error: unknown) => {
                    this.log.debug(`places in ${uri}: ${said(error)}`);
                });
            }, patience),
        );
    }

    private async ask(document: TextDocument): Promise<void> {
        const client = this.daemon.client;
        if (client === undefined || document.isClosed) return;
        const uri = document.uri.toString();
        const lenses = await client.sendRequest(CodeLensRequest.type, {
            textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(document),
        });
        for (const search of this.searches.of(uri)) this.found.delete(search.id);
        for (const lens of lenses ?? []) {
            const about = lens.command?.arguments?.[0] as { searchId?: string } | undefined;
            const { start, end } = lens.range;
            if (about?.searchId !== undefined) {
                this.found.set(about.searchId, new Range(start.line, start.character, end.line, end.character));
            }
        }
        this.moved.fire(document);
    }
}
