// A candidate is put in place by one edit of the editor's, on the text that was meant.

import assert from "node:assert/strict";

import { commands, Position } from "vscode";

import { open, running, solved } from "./certo";

const HOLE = "raise NotImplementedError";

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
});
