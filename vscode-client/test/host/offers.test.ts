// What certo offers stands behind what others offer, and runs no command but its own.

import assert from "node:assert/strict";

import { CodeActionKind, commands, MarkdownString, Range } from "vscode";
import type { CodeAction, Hover, TextEditor, Position } from "vscode";

import { open, running, solved } from "./certo";

/** How many code actions are completed, as the editor completes those that it shows. */
const RESOLVED = 20;

async function actionsAt(editor: TextEditor, position: Position): Promise<CodeAction[]> {
    return await commands.executeCommand(
        "vscode.executeCodeActionProvider",
        editor.document.uri,
        new Range(position, position),
        undefined,
        RESOLVED,
    );
}

function placeOf(editor: TextEditor, words: string): Position {
    return editor.document.positionAt(editor.document.getText().indexOf(words));
}

describe("offers", () => {
    it("of code actions are neither first nor preferred, and no source action", async () => {
        await running();
        const editor = await open("till/basket.py");
        const actions = await actionsAt(editor, placeOf(editor, "loyalty_points"));
        const ours = actions.filter((each) => each.command?.command.startsWith("certo."));
        assert.ok(ours.length > 0);
        assert.equal(actions[0]?.title, "Neighbour: tidy");
        for (const each of ours) {
            assert.notEqual(each.isPreferred, true);
            assert.ok(each.kind !== undefined && !CodeActionKind.Source.contains(each.kind), each.title);
        }
    });

    it("in hovers run only commands of certo's", async () => {
        const session = await running();
        const editor = await open("till/basket.py");
        await solved(session, editor, "loyalty_points");
        const place = placeOf(editor, "loyalty_points");
        const hovers = await commands.executeCommand<Hover[]>(
            "vscode.executeHoverProvider",
            editor.document.uri,
            place,
        );
        const texts = hovers.flatMap((hover) => hover.contents).filter((each) => each instanceof MarkdownString);
        assert.ok(texts.length > 0);
        for (const { isTrusted } of texts) {
            const allowed = typeof isTrusted === "object" ? isTrusted.enabledCommands : [];
            assert.notEqual(isTrusted, true);
            for (const command of allowed) assert.match(command, /^certo\./);
        }
    });
});
