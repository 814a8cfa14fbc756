// A candidate is put in place by one edit of the editor's, on the text that was meant.

import assert from "node:assert/strict";

import { commands, ConfigurationTarget, Position, Range, window, workspace } from "vscode";
import type { TextEditor } from "vscode";

import { whyReadonly } from "../../src/review/readonly";

import { open, running, solved } from "./certo";

const HOLE = "raise NotImplementedError";

/** Puts words in the place of the first such words of a document. */
async function replace(editor: TextEditor, words: string, others: string): Promise<void> {
    const { document } = editor;
    const at = document.getText().indexOf(words);
    assert.notEqual(at, -1, words);
    await editor.edit((edit) => {
        edit.replace(new Range(document.positionAt(at), document.positionAt(at + words.length)), others);
    });
}

describe("applying", () => {
    it("is one step for undo", async () => {
        const session = await running();
        const editor = await open("till/basket.py");
        const before = editor.document.getText();
        const [search] = await solved(session, editor, "loyalty_points");
        await commands.executeCommand("certo.candidate.accept", { searchId: search.id });
        assert.ok(!editor.document.getText().includes(HOLE));
        await commands.executeCommand("undo");
        assert.equal(editor.document.getText(), before);
    });

    it("is done once, however often it is asked for meanwhile", async () => {
        const session = await running();
        const editor = await open("till/basket.py");
        const before = editor.document.getText();
        const [search] = await solved(session, editor, "loyalty_points");
        const accept = (): Thenable<unknown> =>
            commands.executeCommand("certo.candidate.accept", { searchId: search.id });
        // A second one that was refused would wait for an answer to its message.
        await Promise.all([accept(), accept()]);
        assert.ok(!editor.document.getText().includes(HOLE));
        await commands.executeCommand("undo");
        assert.equal(editor.document.getText(), before);
    });

    it("is refused for another version of the document", async () => {
        const session = await running();
        const editor = await open("till/basket.py");
        const [search, candidate] = await solved(session, editor, "loyalty_points");
        const { version } = editor.document;
        await editor.edit((edit) => {
            edit.insert(new Position(0, 0), "# typed\n");
        });
        const text = editor.document.getText();
        const wish = { searchId: search.id, candidateId: candidate.id, version };
        const result = await session.daemon.ask("certo/candidate/apply", wish);
        assert.equal(result.applied, false);
        assert.notEqual(result.reason, "");
        assert.equal(editor.document.getText(), text);
        await commands.executeCommand("workbench.action.files.revert");
    });

    it("is refused for a file that the user has made read-only", async () => {
        const session = await running();
        const editor = await open("till/basket.py");
        const before = editor.document.getText();
        const [search] = await solved(session, editor, "loyalty_points");
        const files = workspace.getConfiguration("files");
        for (const pattern of ["till/basket.py", "**/*.py", editor.document.uri.fsPath]) {
            await files.update("readonlyInclude", { [pattern]: true }, ConfigurationTarget.Global);
            assert.match(await whyReadonly(editor.document), /files\.readonlyInclude/u, pattern);
            await commands.executeCommand("certo.candidate.accept", { searchId: search.id });
            assert.equal(editor.document.getText(), before, pattern);
        }
        for (const pattern of ["basket.py", "shelf/**"]) {
            await files.update("readonlyInclude", { [pattern]: true }, ConfigurationTarget.Global);
            assert.equal(await whyReadonly(editor.document), "", pattern);
        }
        await files.update("readonlyInclude", { "**/*.py": true }, ConfigurationTarget.Global);
        await files.update("readonlyExclude", { "till/**": true }, ConfigurationTarget.Global);
        assert.equal(await whyReadonly(editor.document), "");
        await files.update("readonlyInclude", undefined, ConfigurationTarget.Global);
        await files.update("readonlyExclude", undefined, ConfigurationTarget.Global);
        await session.searches.forget(search);
    });

    it("puts what was edited last in place, also while what was saved before is being verified", async () => {
        const session = await running();
        const editor = await open("till/basket.py");
        const [search, candidate] = await solved(session, editor, "loyalty_points");
        await commands.executeCommand("certo.candidate.edit", { searchId: search.id, candidateId: candidate.id });
        const edited = window.activeTextEditor;
        assert.equal(edited?.document.uri.scheme, "certo-edit");
        await replace(edited, "return 2 * (pence", "first = 2 * (pence");
        await edited.document.save();
        await replace(edited, "first = 2 * (pence", "return 0 + 2 * (pence");
        await commands.executeCommand("certo.candidate.accept");
        assert.match(editor.document.getText(), /return 0 \+/u);
        await window.showTextDocument(editor.document);
        await commands.executeCommand("undo");
    });
});
