// Stops a search, and with it every process of it.

import { l10n, window } from "vscode";

import { progressLine, nameOf } from "../searches/searchWords";
import type { Search } from "../searches/state";
import type { Session } from "../session";
import { aboutWhich } from "./argument";

/** Stops a search; resolves when none of its processes is left. Where it is not plain which, the user is asked. */
export async function stop(session: Session, argument: unknown): Promise<void> {
    const named = argument === undefined ? undefined : aboutWhich(session, argument)?.search;
    const search = named ?? (await whichRuns(session));
    if (search?.state === "running") await session.searches.stop(search);
}

/** The search that runs; of several the one that the user picks. */
async function whichRuns(session: Session): Promise<Search | undefined> {
    const running = session.searches.all().filter((each) => each.state === "running");
    if (running.length <= 1) return running[0];
    const picks = running.map((search) => ({
        label: nameOf(search),
        description: progressLine(search, l10n),
        search,
    }));
    const picked = await window.showQuickPick(picks, { placeHolder: l10n.t("Which search do you want to stop?") });
    return picked?.search;
}
