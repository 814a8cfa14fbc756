// What the user reads of the choice of a server: why this one, which Python made it, and why others did not do.

import { l10n } from "vscode";

import type { Lead, Python } from "./pythons";
import { dotted, OLDEST } from "./pythons";
import type { Flaw } from "./pythons";
import type { Choice } from "./resolve";

/** Why a program is the server, in a sentence. */
export function whyServer(choice: Choice): string {
    switch (choice.reason) {
        case "setting":
            return l10n.t("The setting certo.server.command names it.");
        case "own":
            return l10n.t("The extension has made an environment for it, with {0}.", choice.python);
        case "path":
            return l10n.t("It is on the path, in the version of this extension, so nothing had to be installed.");
        case "lastResort":
            return l10n.t(
                "It is on the path. Its version is not that of this extension, whose own environment could not be made.",
            );
    }
}

/** Where a Python was looked for. */
export function leadWords(lead: Lead): string {
    switch (lead.from) {
        case "setting":
            return l10n.t("{0} (the setting certo.server.python)", lead.command);
        case "extension":
            return l10n.t("{0} (chosen in the Python extension)", lead.command);
        case "path":
            return l10n.t("{0} (on the path)", [lead.command, ...lead.args].join(" "));
    }
}

/** What is wrong with a Python. */
export function flawWords(python: Python, flaw: Flaw): string {
    switch (flaw.kind) {
        case "old":
            return l10n.t("is Python {0}, and {1} or newer is needed", dotted(python), OLDEST.join("."));
        case "lacks":
            return l10n.t(
                "cannot make environments, because it lacks {0} (on Debian and Ubuntu: apt install python3-venv)",
                flaw.modules.join(", "),
            );
    }
}
