// What a command is about: a tree item, an argument of the server's, or what is under the cursor.

import { window } from "vscode";
import type { TextEditor } from "vscode";

import { bestOf, shown } from "../searches/state";
import type { Candidate, Search } from "../searches/state";
import type { Session } from "../session";

/** A search, and one of its candidates. */
export interface About {
    readonly search: Search;
    readonly candidate: Candidate | undefined;
}

/** What names a search and a candidate: tree items have this form, and so have the server's arguments. */
interface Named {
    readonly searchId: string;
    readonly candidateId?: string | null;
}

function isNamed(value: unknown): value is Named {
    return typeof value === "object" && value !== null && "searchId" in value && typeof value.searchId === "string";
}

/** The search and the candidate that a command is about; without a candidate's name, the best one. */
export function aboutWhich(session: Session, argument: unknown): About | undefined {
    const search = isNamed(argument) ? session.searches.get(argument.searchId) : searchAtCursor(session);
    if (search === undefined) return undefined;
    const named = isNamed(argument) && typeof argument.candidateId === "string" ? argument.candidateId : undefined;
    const candidate = named === undefined ? (bestOf(search) ?? shown(search).at(-1)) : search.candidates.get(named);
    return { search, candidate };
}

/** The search whose function the cursor is in, or else the newest of the window. */
function searchAtCursor(session: Session): Search | undefined {
    const editor: TextEditor | undefined = window.activeTextEditor;
    const here = editor === undefined ? [] : session.searches.of(editor.document.uri.toString());
    return here[0] ?? session.searches.all()[0];
}
