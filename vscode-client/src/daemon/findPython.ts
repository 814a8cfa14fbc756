// Finds the Python to make the extension's own environment with, and keeps what was wrong with those passed over.

import { l10n } from "vscode";
import type { LogOutputChannel } from "vscode";

import { ownSettings } from "../settings";
import { NoServer } from "./absence";
import type { With } from "./environments";
import { meant, runToEnd } from "./programs";
import type { PythonExtension } from "./pythonExtension";
import { dotted, flawOf, leads, OLDEST, PROBE, readProbe } from "./pythons";
import type { Lead, Python } from "./pythons";
import { flawWords, leadWords } from "./words";

/** How long a Python may take to say who it is, in milliseconds. */
const PATIENCE = 20_000;

/**
 * The Python to make an environment with.
 *
 * @throws NoServer when there is none that will do.
 */
export async function findPython(extension: PythonExtension, log: LogOutputChannel): Promise<With> {
    const setting = ownSettings().python;
    const chosen = setting === "" ? await extension.chosenFor(undefined) : undefined;
    const tried: string[] = [];
    for (const lead of leads({ setting, extension: chosen?.executable, windows: process.platform === "win32" })) {
        const python = await look(lead);
        if (python === undefined) {
            // Most names on the path are there on few machines; that one is missing says nothing.
            if (lead.from !== "path") tried.push(l10n.t("{0}: is not a Python", leadWords(lead)));
            continue;
        }
        const flaw = flawOf(python);
        if (flaw === undefined) {
            log.info(`Python ${dotted(python)}, ${python.executable}: ${leadWords(lead)}`);
            return { executable: python.executable, version: dotted(python), wanted: setting };
        }
        tried.push(`${leadWords(lead)}: ${flawWords(python, flaw)}`);
    }
    for (const each of tried) log.warn(each);
    const last = tried.at(0);
    throw new NoServer(
        "noPython",
        last === undefined
            ? l10n.t("Certo needs Python {0} or newer for its server, and found none.", OLDEST.join("."))
            : l10n.t("Certo needs Python {0} or newer for its server. {1}.", OLDEST.join("."), last),
    );
}

async function look(lead: Lead): Promise<Python | undefined> {
    const command = await meant(lead.command);
    if (command === undefined) return undefined;
    const { code, out } = await runToEnd(command, [...lead.args, "-I", "-c", PROBE], { patience: PATIENCE });
    return code === 0 ? readProbe(out) : undefined;
}
