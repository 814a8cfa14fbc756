// What is said of the searches that the user started, where the editor does not show it: their progress, and their end.
// Where a line of the function is on the screen, its lens and the status bar say how far the search is, and nothing else.

import { Disposable, ProgressLocation, commands, l10n, window } from "vscode";

import { inert } from "../inert";
import { endOf } from "../searches/endWords";
import type { End } from "../searches/endWords";
import { Pace } from "../searches/pace";
import { progressLine, nameOf } from "../searches/searchWords";
import type { SearchChange } from "../searches/searches";
import type { Search } from "../searches/state";
import type { Session } from "../session";
import { isInSight, isSeen } from "./visible";
import { inform, regret, warn } from "../tell";

/** How long a search may take before its progress is shown, in milliseconds. */
const PATIENCE = 2_000;

/** How long the words of a notification rest between two changes, in milliseconds. */
const REST = 500;

/** How long a function has to be out of sight, in milliseconds: one document takes the place of another in two steps. */
const SETTLED = 1_000;

/** Shows the progress of searches that the user started in this window, and says how they ended. */
export function registerProgress(session: Session): Disposable {
    const watching = new Map<string, Disposable>();
    const ends = session.searches.onDidChange((changes) => {
        for (const change of changes) follow(session, watching, change);
    });
    return new Disposable(() => {
        ends.dispose();
        for (const each of watching.values()) each.dispose();
    });
}

function follow(session: Session, watching: Map<string, Disposable>, { kind, search }: SearchChange): void {
    if (!search.mine) return;
    if (kind === "added" && search.state === "running") {
        watching.get(search.id)?.dispose();
        watching.set(search.id, watch(session, search));
    } else if (kind === "stopped" || kind === "removed") {
        const watched = watching.get(search.id);
        watching.delete(search.id);
        watched?.dispose();
        if (kind === "stopped" && watched !== undefined) void conclude(session, search);
    }
}

/** Shows a search's progress once it has lasted, while its function is out of sight; what it returns ends that. */
function watch(session: Session, search: Search): Disposable {
    let hide: (() => void) | undefined;
    let lasting = false;
    let leaving: NodeJS.Timeout | undefined;
    const stay = (): void => {
        clearTimeout(leaving);
        leaving = undefined;
        hide?.();
        hide = undefined;
    };
    const look = (): void => {
        if (!lasting || isInSight(session, search)) {
            stay();
        } else {
            leaving ??= setTimeout(() => {
                hide ??= shown(session, search);
            }, SETTLED);
        }
    };
    const timer = setTimeout(() => {
        lasting = true;
        look();
    }, PATIENCE);
    const listening = Disposable.from(
        window.onDidChangeVisibleTextEditors(look),
        window.onDidChangeTextEditorVisibleRanges(look),
        session.places.onDidChange(look),
    );
    return new Disposable(() => {
        clearTimeout(timer);
        listening.dispose();
        stay();
    });
}

/** Shows a notification until what it returns is called. */
function shown(session: Session, search: Search): () => void {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
        end = resolve;
    });
    show(session, search, ended);
    return end;
}

function show(session: Session, search: Search, ended: Promise<void>): void {
    const options = {
        location: ProgressLocation.Notification,
        title: l10n.t("Searching for {0}", nameOf(search)),
        cancellable: true,
    };
    void window.withProgress(options, async (progress, token) => {
        const say = (): void => {
            progress.report({ message: inert(progressLine(search, l10n)) });
        };
        const pace = new Pace(say, REST);
        const listening = session.searches.onDidChange((changes) => {
            if (changes.some((each) => each.search === search)) pace.ask();
        });
        const cancelling = token.onCancellationRequested(() => {
            void commands.executeCommand("certo.search.stop", { searchId: search.id });
        });
        say();
        await ended;
        Disposable.from(pace, listening, cancelling).dispose();
    });
}

/** Says how a search ended, unless the user sees it or has ended it. */
async function conclude(session: Session, search: Search): Promise<void> {
    const end = endOf(search, l10n);
    // That something is wrong with the machine is said wherever one looks: its sentence says what to do.
    if (end === undefined || (end.kind !== "broken" && isSeen(session, search))) return;
    const labels = end.choices.map((each) => each.label);
    const chosen = await asks(end, labels);
    const choice = end.choices.find((each) => each.label === chosen);
    if (choice === undefined) return;
    // Where it was refused, what it was made from is back in its place.
    const there = session.searches.get(search.id) ?? session.searches.about(search.uri, search.qualname) ?? search;
    await commands.executeCommand(choice.command, { searchId: there.id, candidateId: choice.candidateId });
}

function asks(end: End, labels: readonly string[]): Thenable<string | undefined> {
    switch (end.kind) {
        case "found":
            return inform(end.sentence, ...labels);
        case "empty":
            return warn(end.sentence, ...labels);
        case "broken":
            return regret(end.sentence, ...labels);
    }
}
