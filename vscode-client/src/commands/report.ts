// Shows the report of a candidate: every verdict with its evidence, as a document.

import { commands, Uri } from "vscode";

import { SERVED } from "../review/address";
import type { Session } from "../session";
import { aboutCandidate } from "./argument";

/** Opens the preview of the server's report. */
export async function report(session: Session, argument: unknown): Promise<void> {
    const { search, candidate } = aboutCandidate(session, argument);
    const name = decodeURIComponent(search.uri.split("/").at(-1) ?? "");
    const uri = Uri.from({ scheme: SERVED, path: `/${search.id}/${candidate.id}/report/${name}.md` });
    await commands.executeCommand("markdown.showPreview", uri);
}
