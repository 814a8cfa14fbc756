// Judges a function as it stands, with the checks and tests that a candidate has to pass.

import { l10n } from "vscode";

import { reportOn, verdictOn } from "../searches/currentReport";
import { shortName } from "../searches/searchWords";
import type { Session } from "../session";
import { here } from "./here";
import { waitFor } from "./waiting";
import { inform, warn } from "../tell";

/** Verifies the function at the cursor, says what came of it, and shows the report to those who want it. */
export async function verify(session: Session, argument: unknown): Promise<void> {
    const place = here(argument);
    const report = await waitFor(l10n.t("Verifying the function"), (token) =>
        session.daemon.ask("certo/verify", place, token),
    );
    if (report === undefined) return;
    const words = verdictOn(report, l10n);
    const show = l10n.t("Show Report");
    const said = report.verified ? inform(words, show) : warn(words, show);
    if ((await said) === show)
        await session.reports.show(l10n.t("{0}, current code", shortName(report.qualname)), reportOn(report, l10n));
}
