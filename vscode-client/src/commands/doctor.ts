// Says what certo finds here, what is missing, and what helps, as a document that can be read, searched and copied.

import { extensions, l10n, version, window, workspace } from "vscode";
import type { Uri } from "vscode";

import { withKeptKeys } from "../daemon/keptKeys";
import { whyServer } from "../daemon/words";
import { said } from "../log";
import type { Fact } from "../protocol";
import type { Session } from "../session";
import { doctorPage } from "./doctorPage";
import type { Examination, Place } from "./doctorPage";

/** Shows the doctor's page, with a server or without; it is examined anew every time. */
export async function doctor(session: Session): Promise<void> {
    await session.reports.show(l10n.t("Certo Doctor"), doctorPage(await examine(session), l10n));
}

async function examine(session: Session): Promise<Examination> {
    const { daemon } = session;
    if (workspace.isTrusted) await daemon.started();
    const own = [...aboutExtension(session), aboutServer(session)];
    if (daemon.state.kind !== "running") return { own, models: [], places: [] };
    const status = await daemon.ask("certo/status", {});
    own.push(good(l10n.t("its Python"), status.python, []));
    const models = await withKeptKeys(status.models, session.secrets);
    return { own, models, places: await Promise.all(placesHere().map((uri) => about(session, uri))) };
}

function good(subject: string, says: string, details: string[]): Fact {
    return { subject, health: "good", says, details, remedy: "" };
}

function aboutExtension({ context, activation }: Session): Fact[] {
    const { id } = context.extension;
    const own = (context.extension.packageJSON as { version: string }).version;
    const python = extensions.getExtension("ms-python.python");
    return [
        good(l10n.t("extension"), `${id} ${own}`, [
            `VS Code ${version}`,
            `${process.platform} ${process.arch}`,
            l10n.t("was ready {0} ms after VS Code had activated it", activation.milliseconds),
        ]),
        workspace.isTrusted
            ? good(l10n.t("trust"), l10n.t("this workspace is trusted"), [])
            : {
                  ...good(l10n.t("trust"), l10n.t("this workspace is not trusted, so Certo runs nothing"), [
                      l10n.t("“Workspaces: Manage Workspace Trust” changes that."),
                  ]),
                  health: "broken",
              },
        python === undefined
            ? good(
                  l10n.t("Python extension"),
                  l10n.t("is not installed; the server finds each project's Python itself"),
                  [],
              )
            : good(l10n.t("Python extension"), l10n.t("is installed; the environment chosen in it is used"), []),
    ];
}

function aboutServer({ daemon, chooser }: Session): Fact {
    const { state } = daemon;
    const { choice } = chooser;
    if (choice === undefined || state.kind !== "running") {
        const says = state.kind === "failed" ? state.reason : l10n.t("is not running");
        return { subject: l10n.t("server"), health: "broken", says, details: [], remedy: "" };
    }
    return good(l10n.t("server"), `certo ${choice.version}`, [
        [choice.command, ...choice.args].join(" "),
        whyServer(choice),
    ]);
}

/** The document that is worked on, or else every folder of the workspace. */
function placesHere(): Uri[] {
    const document = window.activeTextEditor?.document;
    if (document?.languageId === "python" && document.uri.scheme === "file") return [document.uri];
    return (workspace.workspaceFolders ?? []).map((folder) => folder.uri);
}

async function about(session: Session, uri: Uri): Promise<Place> {
    const name = workspace.asRelativePath(uri);
    try {
        return { name, found: await session.daemon.ask("certo/environment", { uri: uri.toString() }) };
    } catch (error) {
        return { name, found: said(error) };
    }
}
