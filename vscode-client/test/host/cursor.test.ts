// What commands are about, when they are run from the palette; and what of a search is told after it is gone.

import assert from "node:assert/strict";

import { commands, languages, Selection, Uri, window, workspace } from "vscode";
import type { TextEditor } from "vscode";

import { aboutWhich } from "../../src/commands/argument";
import { here } from "../../src/commands/here";
import { testFile } from "../../src/review/testFiles";
import type { Search } from "../../src/searches/state";
import type { Session } from "../../src/session";

import { open, running, until } from "./certo";

/** Puts the cursor behind these words. */
function goTo(editor: TextEditor, words: string): void {
    const at = editor.document.getText().indexOf(words);
    assert.notEqual(at, -1, words);
    const position = editor.document.positionAt(at + words.length);
    editor.selection = new Selection(position, position);
}

async function searched(session: Session, { document }: TextEditor, qualname: string): Promise<Search> {
    const wish = { uri: document.uri.toString(), version: document.version, qualname };
    return (await session.searches.start(wish)).search;
}

describe("a command", () => {
    it("is about the function that the cursor is in, and not about the newest search", async () => {
        const session = await running();
        for (const search of session.searches.all()) await session.searches.forget(search);
        const editor = await open("till/basket.py");
        const [first, second] = [
            await searched(session, editor, "loyalty_points"),
            await searched(session, editor, "total"),
        ];
        goTo(editor, "def loyalty_points");
        assert.equal(aboutWhich(session, undefined)?.search, first);
        goTo(editor, "def total");
        assert.equal(aboutWhich(session, undefined)?.search, second);
        editor.selection = new Selection(0, 0, 0, 0);
        assert.throws(() => aboutWhich(session, undefined), /cursor/u);
        await session.searches.forget(second);
        assert.equal(aboutWhich(session, undefined)?.search, first);
        await session.searches.forget(first);
        assert.equal(aboutWhich(session, undefined), undefined);
    });

    it("is about files, and says so of what is none", async () => {
        const untitled = await workspace.openTextDocument({ language: "python", content: "def f():\n    pass\n" });
        await window.showTextDocument(untitled);
        assert.throws(() => here(undefined), /Save/u);
        await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
        const provider = workspace.registerTextDocumentContentProvider("earlier", {
            provideTextDocumentContent: () => "def f():\n    pass\n",
        });
        const earlier = await workspace.openTextDocument(Uri.parse("earlier:/till/basket.py"));
        await window.showTextDocument(await languages.setTextDocumentLanguage(earlier, "python"));
        assert.throws(() => here(undefined), /the file itself/u);
        provider.dispose();
        const editor = await open("till/basket.py");
        assert.equal(here(undefined).uri, editor.document.uri.toString());
    });

    it("finds the files of tests below the root of the project, whatever the document is", () => {
        const search = { uri: "vscode-notebook-cell:/home/ada/shop/till.ipynb#W0", root: "/home/ada/shop" };
        const found = testFile(search, { path: "tests/test_till.py", names: ["test_total"], line: null });
        assert.equal(found.toString(), "file:///home/ada/shop/tests/test_till.py");
    });
});

describe("a search that was removed", () => {
    it("is not told of any more", async () => {
        const session = await running();
        const editor = await open("till/basket.py");
        const gone = await searched(session, editor, "total");
        const told: string[] = [];
        const listening = session.searches.onDidChange((changes) => {
            told.push(...changes.filter(({ search }) => search === gone).map(({ kind }) => kind));
        });
        await session.searches.forget(gone);
        session.searches.accepted(gone, "late");
        // What is told of another one is told after it.
        const other = await searched(session, editor, "loyalty_points");
        let end = false;
        const ending = session.searches.onDidChange((changes) => {
            end ||= changes.some(({ search }) => search === other);
        });
        session.searches.accepted(other, "early");
        await until("the news of another search", () => end);
        assert.equal(told.at(-1), "removed");
        listening.dispose();
        ending.dispose();
        await session.daemon.ask("certo/search/forget", { searchId: other.id });
        await session.searches.forget(other);
    });
});
