// A box at the function for what the user has to say of a candidate: the answer is feedback for a retry.

import { comments, CommentThreadCollapsibleState, l10n, Range, Uri } from "vscode";
import type { CommentController, CommentThread, Disposable } from "vscode";

import { visible } from "../inert";
import type { Places } from "../searches/places";
import type { Searches } from "../searches/searches";
import type { Candidate, Search } from "../searches/state";
import { scoreLine } from "../searches/words";
import { threadMark } from "./address";
import type { Reviewed } from "./review";

/**
 * The boxes that are open, at most one for each search.
 *
 * A box has the score in its head and no comment: with one in it VS Code would open a panel, and push the code away.
 */
export class Threads implements Disposable {
    private readonly controller: CommentController;
    private readonly open = new Map<string, { readonly thread: CommentThread; readonly candidate: Candidate }>();
    private readonly listening: Disposable[];

    constructor(
        searches: Searches,
        private readonly places: Places,
    ) {
        this.controller = comments.createCommentController("certo", "Certo");
        this.controller.options = {
            prompt: l10n.t("Say What Should Change, and Retry…"),
            placeHolder: l10n.t("What is wrong, or what else must hold? A language model reads this."),
        };
        this.listening = [
            searches.onDidChange((changes) => {
                for (const { kind, search } of changes) {
                    if (kind === "removed" || search.accepted !== null) this.dismiss(search.id);
                    else this.fill(search);
                }
            }),
            places.onDidChange((document) => {
                for (const search of searches.of(document.uri.toString())) this.move(search);
            }),
        ];
    }

    /** Opens the box about a candidate, at its function in the document. */
    show({ search, candidate }: Reviewed): void {
        this.dismiss(search.id);
        const thread = this.controller.createCommentThread(Uri.parse(search.uri), this.placeOf(search), []);
        thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
        thread.contextValue = threadMark({ searchId: search.id, candidateId: candidate.id }, candidate.passed === true);
        this.open.set(search.id, { thread, candidate });
        this.fill(search);
    }

    /** Takes the box of a search away. */
    dismiss(searchId: string): void {
        this.open.get(searchId)?.thread.dispose();
        this.open.delete(searchId);
    }

    dispose(): void {
        for (const each of this.listening) each.dispose();
        this.controller.dispose();
    }

    private fill(search: Search): void {
        const open = this.open.get(search.id);
        if (open === undefined) return;
        const { candidate, thread } = open;
        thread.label = l10n.t("Candidate #{0}: {1}", candidate.number, visible(scoreLine(candidate, l10n)));
    }

    private move(search: Search): void {
        const open = this.open.get(search.id);
        if (open !== undefined) open.thread.range = this.placeOf(search);
    }

    private placeOf(search: Search): Range {
        return this.places.of(search.id) ?? new Range(search.line - 1, 0, search.line - 1, 0);
    }
}
