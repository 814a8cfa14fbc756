// What tells two candidates apart, written behind the function on both sides of their diff.

import { Range, ThemeColor, window, workspace } from "vscode";
import type { Disposable, TextEditorDecorationType, Uri } from "vscode";

/** Writes a sentence behind a line of a document, for as long as that is open. */
export class Remarks implements Disposable {
    private readonly look: TextEditorDecorationType = window.createTextEditorDecorationType({
        after: { color: new ThemeColor("editorCodeLens.foreground"), margin: "0 0 0 2em" },
        isWholeLine: true,
    });
    private readonly said = new Map<string, { readonly line: number; readonly text: string }>();
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

    /** Writes behind a line, from 0, of a document. */
    put(uri: Uri, line: number, text: string): void {
        this.said.set(uri.toString(), { line, text });
        this.write();
    }

    dispose(): void {
        for (const each of this.listening) each.dispose();
        this.look.dispose();
    }

    private write(): void {
        for (const editor of window.visibleTextEditors) {
            const remark = this.said.get(editor.document.uri.toString());
            if (remark === undefined) continue;
            const line = Math.min(remark.line, editor.document.lineCount - 1);
            const range = new Range(line, 0, line, 0);
            editor.setDecorations(this.look, [{ range, renderOptions: { after: { contentText: remark.text } } }]);
        }
    }
}
