// Reports on functions as they stand, as documents that nobody can change.

import { EventEmitter, Uri, workspace } from "vscode";
import type { Disposable, TextDocumentContentProvider } from "vscode";

import { preview } from "../review/preview";

const SCHEME = "certo-report";

/** The reports of this window: the last one on each function. */
export class Reports implements TextDocumentContentProvider, Disposable {
    private readonly texts = new Map<string, string>();
    private readonly changed = new EventEmitter<Uri>();
    private readonly registration: Disposable;

    readonly onDidChange = this.changed.event;

    constructor() {
        this.registration = workspace.registerTextDocumentContentProvider(SCHEME, this);
    }

    /** Keeps a report in Markdown, and returns where it can be read; one of the same name is replaced. */
    keep(name: string, text: string): Uri {
        const uri = Uri.from({ scheme: SCHEME, path: `/${name}.md` });
        this.texts.set(uri.toString(), text);
        this.changed.fire(uri);
        return uri;
    }

    /** Shows a report in Markdown; one of the same name is replaced. */
    async show(name: string, text: string): Promise<void> {
        await preview(this.keep(name, text));
    }

    provideTextDocumentContent(uri: Uri): string {
        return this.texts.get(uri.toString()) ?? "";
    }

    dispose(): void {
        this.registration.dispose();
        this.changed.dispose();
    }
}
