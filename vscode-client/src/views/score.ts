// The score of the best candidate, behind the line its function begins on, and the card that explains it.

import {
    DecorationRangeBehavior,
    Disposable,
    Hover,
    MarkdownString,
    Range,
    ThemeColor,
    l10n,
    languages,
    window,
    workspace,
} from "vscode";
import type {
    DecorationOptions,
    HoverProvider,
    Position,
    TextDocument,
    TextEditor,
    TextEditorDecorationType,
    Uri,
} from "vscode";

import { visible } from "../inert";
import { cardOf, cardOfSearch } from "../searches/card";
import { Pace } from "../searches/pace";
import { bestOf } from "../searches/state";
import type { Search } from "../searches/state";
import { scoreLine, standingOf } from "../searches/words";
import type { Standing } from "../searches/words";
import type { Session } from "../session";
import { PYTHON } from "./selector";

/** How long the scores rest between two changes, in milliseconds. */
const REST = 250;

/** The commands that a card may run. */
export const CARD_COMMANDS: readonly string[] = [
    "certo.candidate.accept",
    "certo.candidate.diff",
    "certo.candidate.retry",
    "certo.candidate.report",
];

/** Colours of words, which have to be read in light themes too: those of icons are too pale there. */
const COLOURS: Readonly<Record<Standing, string>> = {
    judging: "editorCodeLens.foreground",
    verified: "charts.green",
    notApart: "editorWarning.foreground",
    unverified: "editorWarning.foreground",
    undecided: "editorWarning.foreground",
    failed: "editorError.foreground",
};

/** Whether scores are shown behind functions, in a document; the server's setting for its own hints decides. */
export function showsScores(uri: Uri): boolean {
    return workspace.getConfiguration("certo", uri).get("editor.inlayHints", true);
}

/** Shows the scores, and their cards. */
export function registerScore(session: Session): Disposable {
    const scores = new Scores(session);
    return Disposable.from(scores, languages.registerHoverProvider(PYTHON, scores));
}

class Scores implements HoverProvider, Disposable {
    private readonly type: TextEditorDecorationType = window.createTextEditorDecorationType({
        after: { margin: "0 0 0 3ch" },
        rangeBehavior: DecorationRangeBehavior.ClosedOpen,
    });
    private readonly shown = new Map<TextEditor, string>();
    private readonly pace = new Pace(() => {
        this.draw();
    }, REST);
    private readonly listening: Disposable[];

    constructor(private readonly session: Session) {
        const soon = (): void => {
            this.pace.ask();
        };
        this.listening = [
            session.searches.onDidChange(soon),
            session.places.onDidChange(soon),
            window.onDidChangeVisibleTextEditors(soon),
            workspace.onDidChangeConfiguration((change) => {
                if (change.affectsConfiguration("certo.editor.inlayHints")) soon();
            }),
        ];
    }

    provideHover(document: TextDocument, position: Position): Hover | undefined {
        const cards = this.session.searches.of(document.uri.toString()).flatMap((search) => {
            const line = this.lineOf(search, document);
            if (line !== position.line) return [];
            const best = bestOf(search);
            const said = best === undefined ? cardOfSearch(search, l10n) : cardOf(search, best, true, l10n);
            const card = new MarkdownString(said);
            card.isTrusted = { enabledCommands: [...CARD_COMMANDS] };
            return [card];
        });
        return cards.length === 0 ? undefined : new Hover(cards);
    }

    dispose(): void {
        this.pace.dispose();
        this.type.dispose();
        for (const each of this.listening) each.dispose();
    }

    private draw(): void {
        const editors = new Set(window.visibleTextEditors);
        for (const known of this.shown.keys()) {
            if (!editors.has(known)) this.shown.delete(known);
        }
        for (const editor of editors) {
            const options = this.decorations(editor.document);
            const saying = JSON.stringify(options.map(({ range, renderOptions }) => [range, renderOptions]));
            if (saying === (this.shown.get(editor) ?? "[]")) continue;
            this.shown.set(editor, saying);
            editor.setDecorations(this.type, options);
        }
    }

    private decorations(document: TextDocument): DecorationOptions[] {
        if (!showsScores(document.uri)) return [];
        return this.session.searches.of(document.uri.toString()).flatMap((search) => {
            const best = bestOf(search);
            const line = this.lineOf(search, document);
            if (best === undefined || line === undefined) return [];
            const end = document.lineAt(line).range.end;
            const contentText = visible(scoreLine(best, l10n));
            const color = new ThemeColor(COLOURS[standingOf(best)]);
            return [{ range: new Range(end, end), renderOptions: { after: { contentText, color } } }];
        });
    }

    /** The line with the `def` of a search's function; its place begins with the decorators. */
    private lineOf(search: Search, document: TextDocument): number | undefined {
        if (search.accepted !== null) return undefined;
        const begin = this.session.places.of(search.id)?.start.line;
        if (begin === undefined) return undefined;
        for (let line = begin; line < document.lineCount; line++) {
            if (/^\s*(?:async\s+)?def\s/u.test(document.lineAt(line).text)) return line;
        }
        return undefined;
    }
}
