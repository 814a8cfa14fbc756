// What a command is about: a tree item, an argument of the server's, a document of a review, or what is under the cursor.

import { l10n, Uri, window } from "vscode";
import type { TextEditor } from "vscode";

import { addressOf, namesInMark } from "../review/address";
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

/** The search and the candidate that a command is about; without a candidate's name, the best one. */
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
            ? l10n.t("There is no search here. Put the cursor into a function and start one.")
            : l10n.t("This search has no candidate yet. Wait for one, or retry."),
    );
}

/** The search whose function the cursor is in, or else the newest of the window. */
function searchAtCursor(session: Session): Search | undefined {
    const editor: TextEditor | undefined = window.activeTextEditor;
    const here = editor === undefined ? [] : session.searches.of(editor.document.uri.toString());
    return here[0] ?? session.searches.all()[0];
}
