// Ghost text: a verified winner shown in the line it changes, where Tab accepts it.

import { commands, Disposable, InlineCompletionItem, languages, Range, window, workspace } from "vscode";
import type { InlineCompletionItemProvider, Position, TextDocument } from "vscode";

import { sameText } from "../review/carried";
import { ghostTextOf } from "../searches/ghostText";
import type { GhostText } from "../searches/ghostText";
import { bestOf } from "../searches/state";
import type { Search } from "../searches/state";
import type { Session } from "../session";
import { PYTHON } from "./selector";

/** Registers ghost text, which is shown only where the setting `certo.inlinePreview` is on. */
export function registerInlinePreview(session: Session): Disposable {
    const preview = new InlinePreview(session);
    return Disposable.from(preview, languages.registerInlineCompletionItemProvider(PYTHON, preview));
}

class InlinePreview implements InlineCompletionItemProvider, Disposable {
    private readonly listening: Disposable[];
    /** What ghost text was last asked for: it is not brought back where the user has hidden it. */
    private asked = "";

    constructor(private readonly session: Session) {
        // VS Code asks by itself while something is typed, and the winner comes when nothing is.
        const ask = (): void => {
            void this.ask();
        };
        this.listening = [session.searches.onDidChange(ask), window.onDidChangeTextEditorSelection(ask)];
    }

    async provideInlineCompletionItems(document: TextDocument, position: Position): Promise<InlineCompletionItem[]> {
        const offered: InlineCompletionItem[] = [];
        for (const search of this.session.searches.of(document.uri.toString())) {
            const text = isOn(document) ? await this.ghostText(search, document) : undefined;
            const candidateId = bestOf(search)?.id;
            if (text?.line !== position.line || candidateId === undefined) continue;
            const range = new Range(text.line, 0, text.line, text.before.length);
            const command = {
                title: "",
                command: "certo.candidate.keepPreview",
                arguments: [{ searchId: search.id, candidateId }],
            };
            offered.push(new InlineCompletionItem(text.after, range, command));
        }
        return offered;
    }

    dispose(): void {
        for (const each of this.listening) each.dispose();
    }

    /** Has the editor ask for ghost text if there is one for the line of the cursor. */
    private async ask(): Promise<void> {
        const editor = window.activeTextEditor;
        if (editor === undefined || !editor.selection.isEmpty || !isOn(editor.document)) return;
        const { line } = editor.selection.active;
        for (const search of this.session.searches.of(editor.document.uri.toString())) {
            const text = await this.ghostText(search, editor.document);
            if (text?.line !== line) continue;
            const asking = `${search.id} ${bestOf(search)?.id ?? ""} ${String(line)}`;
            const isNew = asking !== this.asked;
            this.asked = asking;
            if (isNew) await commands.executeCommand("editor.action.inlineSuggest.trigger");
            return;
        }
        this.asked = "";
    }

    /** The winner of a search as ghost text; undefined unless it was verified on exactly the text of the document. */
    private async ghostText(search: Search, document: TextDocument): Promise<GhostText | undefined> {
        const best = bestOf(search);
        if (best?.verified !== true || search.accepted !== null || best.elsewhere.length > 0) return undefined;
        if (this.session.refusedPreviews.has(best.id)) return undefined;
        const text = ghostTextOf(best.hunks, (line) => (line < document.lineCount ? document.lineAt(line).text : ""));
        if (text === undefined) return undefined;
        // A server that is gone, or knows the search no more, has no ghost text.
        const texts = await this.session.review.texts.of(search, best).catch(() => undefined);
        return texts !== undefined && sameText(texts.base, document.getText()) ? text : undefined;
    }
}

function isOn(document: TextDocument): boolean {
    return workspace.getConfiguration("certo", document.uri).get("inlinePreview", false);
}
