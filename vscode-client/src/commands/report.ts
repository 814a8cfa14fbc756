// Shows the report of a candidate: every verdict with its evidence, as a document.

import { l10n, Uri } from "vscode";

import { SERVED } from "../review/address";
import { preview } from "../review/preview";
import { nameOf } from "../searches/searchWords";
import type { Session } from "../session";
import { aboutCandidate } from "./argument";

/** Opens the preview of the server's report. */
export async function report(session: Session, argument: unknown): Promise<void> {
    const { search, candidate } = aboutCandidate(session, argument);
    const name = l10n.t("{0}, candidate #{1}", nameOf(search), candidate.number);
    const uri = Uri.from({ scheme: SERVED, path: `/${search.id}/${candidate.id}/report/${name}.md` });
    await preview(uri);
}
