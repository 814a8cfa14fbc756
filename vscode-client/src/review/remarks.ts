// What shows that a candidate is right, or tells two apart, written behind the lines of their diff.

import { Range, ThemeColor, window, workspace } from "vscode";
import type { DecorationOptions, Disposable, MarkdownString, TextEditorDecorationType, Uri } from "vscode";

/** A sentence behind a line, from 0; `more` is shown where the pointer rests on it. */
export interface Remark {
    readonly line: number;
    readonly text: string;
    readonly more?: MarkdownString;
}

/** Writes sentences behind lines of a document, for as long as that is open. */
export class Remarks implements Disposable {
    private readonly look: TextEditorDecorationType = window.createTextEditorDecorationType({
        after: { color: new ThemeColor("editorCodeLens.foreground"), margin: "0 0 0 2em" },
        isWholeLine: true,
    });
    private readonly said = new Map<string, readonly Remark[]>();
    private readonly listening: Disposable[];

    constructor() {
        this.listening = [
            window.onDidChangeVisibleTextEditors(() => {
                this.write();
            }),
            workspace.onDidCloseTextDocument(({ uri }) => {
                this.said.delete(uri.toString());
            }),
        ];
    }

    /** Writes these remarks in a document, and no others. */
    put(uri: Uri, ...remarks: readonly Remark[]): void {
        this.said.set(uri.toString(), remarks);
        this.write();
    }

    dispose(): void {
        for (const each of this.listening) each.dispose();
        this.look.dispose();
    }

    private write(): void {
        for (const editor of window.visibleTextEditors) {
            const remarks = this.said.get(editor.document.uri.toString());
            if (remarks === undefined) continue;
            const drawn = remarks.map(({ line, text, more }): DecorationOptions => {
                const at = Math.min(line, editor.document.lineCount - 1);
                const options = { range: new Range(at, 0, at, 0), renderOptions: { after: { contentText: text } } };
                return more === undefined ? options : { ...options, hoverMessage: more };
            });
            editor.setDecorations(this.look, drawn);
        }
    }
}
