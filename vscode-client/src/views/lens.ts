// Code lenses: over a function with a search, how it stands and what can be done.

import { CodeLens, Disposable, EventEmitter, l10n, languages } from "vscode";
import type { CodeLensProvider, Event, Range, TextDocument } from "vscode";

import { lensesOf } from "../searches/lensWords";
import type { LensWords } from "../searches/lensWords";
import { Pace } from "../searches/pace";
import type { Session } from "../session";
import { PYTHON } from "./selector";
import { showsScores } from "./score";

/**
 * How long the lenses rest between two changes, in milliseconds.
 *
 * VS Code waits for lenses to have rested before it asks for them: told of changes more often, it would show none.
 */
const REST = 1_000;

/** Shows lenses over the functions of searches, and has them follow what happens. */
export function registerLens(session: Session): Disposable {
    const lenses = new Lenses(session);
    return Disposable.from(lenses, languages.registerCodeLensProvider(PYTHON, lenses));
}

class Lenses implements CodeLensProvider, Disposable {
    private readonly changed = new EventEmitter<void>();
    private readonly pace = new Pace(() => {
        this.tell();
    }, REST);
    private readonly listening: Disposable[];
    private told = "";

    readonly onDidChangeCodeLenses: Event<void> = this.changed.event;

    constructor(private readonly session: Session) {
        this.listening = [
            session.searches.onDidChange(() => {
                this.pace.ask();
            }),
            session.places.onDidChange(() => {
                this.pace.ask();
            }),
        ];
    }

    provideCodeLenses(document: TextDocument): CodeLens[] {
        const scored = showsScores(document.uri);
        return this.session.searches.of(document.uri.toString()).flatMap((search) => {
            const place = this.session.places.of(search.id);
            if (place === undefined) return [];
            return lensesOf(search, scored, l10n).map((words) => lensAt(place, words, search.id));
        });
    }

    dispose(): void {
        this.pace.dispose();
        this.changed.dispose();
        for (const each of this.listening) each.dispose();
    }

    /** Has the editor ask again, if there is anything new to read: lenses that are made anew flicker. */
    private tell(): void {
        const { searches, places } = this.session;
        const now = searches.all().map((search) => {
            const place = places.of(search.id);
            return [search.id, search.uri, place?.start.line, place === undefined ? [] : lensesOf(search, true, l10n)];
        });
        const saying = JSON.stringify(now);
        if (saying === this.told) return;
        this.told = saying;
        this.changed.fire();
    }
}

function lensAt(place: Range, words: LensWords, searchId: string): CodeLens {
    const { title, tooltip, command, candidateId } = words;
    const about = command.startsWith("certo.searches.") ? [] : [{ searchId, candidateId }];
    return new CodeLens(place, { title, tooltip, command, arguments: about });
}
