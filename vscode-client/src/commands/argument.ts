// What a command is about: a tree item, an argument of the server's, a document of a review, or what is under the cursor.

import { l10n, Uri, window } from "vscode";
import type { TextEditor } from "vscode";

import { addressOf, namesInMark } from "../review/address";
import { enclosing } from "../review/enclosing";
import type { Reviewed } from "../review/review";
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

/** A thread of comments, which its menus give. */
function isThread(value: unknown): value is { readonly contextValue: string } {
    return (
        typeof value === "object" && value !== null && "contextValue" in value && typeof value.contextValue === "string"
    );
}

/** What names a search and a candidate in an argument; buttons of an editor give its document. */
function named(argument: unknown): Named | undefined {
    if (isNamed(argument)) return argument;
    if (isThread(argument)) return namesInMark(argument.contextValue);
    return argument instanceof Uri ? addressOf(argument) : undefined;
}

/**
 * The search and the candidate that a command is about; without a candidate's name, the best one.
 *
 * @throws Error when nothing says which of several searches is meant, with a sentence that says what to do.
 */
export function aboutWhich(session: Session, argument: unknown): About | undefined {
    const name = named(argument);
    if (name === undefined && session.review.front !== undefined) return session.review.front;
    const search = name === undefined ? searchAtCursor(session) : session.searches.get(name.searchId);
    if (search === undefined) return undefined;
    const wanted = typeof name?.candidateId === "string" ? name.candidateId : undefined;
    const candidate = wanted === undefined ? (bestOf(search) ?? shown(search).at(-1)) : search.candidates.get(wanted);
    return { search, candidate };
}

/**
 * The candidate that a command is about.
 *
 * @throws Error when there is none, with a sentence that says so.
 */
export function aboutCandidate(session: Session, argument: unknown): Reviewed {
    const about = aboutWhich(session, argument);
    if (about?.candidate !== undefined) return { search: about.search, candidate: about.candidate };
    throw new Error(
        about === undefined
            ? l10n.t("There is no search here. Put the cursor in a function and start one.")
            : l10n.t("This search has no candidate yet. Wait for one, or retry."),
    );
}

/** The search whose function the cursor is in, or else the only one of the window. */
function searchAtCursor(session: Session): Search | undefined {
    const editor: TextEditor | undefined = window.activeTextEditor;
    const here = editor === undefined ? undefined : searchIn(session, editor);
    if (here !== undefined) return here;
    const [only, ...others] = session.searches.all();
    if (others.length === 0) return only;
    throw new Error(l10n.t("The cursor is in no function that has a search. Put it in one, or use the Certo view."));
}

/** The search whose function the cursor of an editor is in. */
function searchIn(session: Session, { document, selection }: TextEditor): Search | undefined {
    const searches = session.searches.of(document.uri.toString());
    // Until the server has said where a function is, it is taken to be where it was when its search began.
    const lines = searches.map(({ id, line }) => session.places.of(id)?.start.line ?? Math.max(0, line - 1));
    return searches[enclosing(document.getText(), selection.active.line, lines) ?? -1];
}
