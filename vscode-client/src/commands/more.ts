// Shows every code action of certo at a place, of which the editor's own menu shows the first at once.

import { commands, Selection, window } from "vscode";

import type { MoreArguments } from "../protocol";

/** The kind of every code action of certo. */
const OURS = "refactor.rewrite.certo";

/** Opens VS Code's own menu, narrowed to certo. */
export async function more(_: unknown, argument: unknown): Promise<void> {
    const { uri, position } = argument as MoreArguments;
    const editor = window.visibleTextEditors.find((each) => each.document.uri.toString() === uri);
    if (editor === undefined) return;
    if (position) {
        const { line, character } = position;
        editor.selection = new Selection(line, character, line, character);
    }
    await window.showTextDocument(editor.document, { viewColumn: editor.viewColumn });
    await commands.executeCommand("editor.action.codeAction", { kind: OURS, apply: "never" });
}
