// Whether the user sees already, in an editor, how a search stands.

import { window, workspace } from "vscode";

import type { Search } from "../searches/state";
import type { Session } from "../session";

/** Whether any line of a search's function is on the screen. */
export function isInSight(session: Session, search: Search): boolean {
    const place = session.places.of(search.id);
    return window.visibleTextEditors.some(
        ({ document, visibleRanges }) =>
            place !== undefined &&
            document.uri.toString() === search.uri &&
            visibleRanges.some((range) => range.intersection(place) !== undefined),
    );
}

/** Whether a search's function is on the screen, with the lenses that say how it stands. */
export function isSeen(session: Session, search: Search): boolean {
    const place = session.places.of(search.id);
    if (place === undefined) return false;
    return window.visibleTextEditors.some(({ document, visibleRanges }) => {
        if (document.uri.toString() !== search.uri) return false;
        if (!workspace.getConfiguration("editor", document).get<boolean>("codeLens", true)) return false;
        return visibleRanges.some((range) => range.contains(place.start));
    });
}
