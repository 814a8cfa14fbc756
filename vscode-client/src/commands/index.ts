// Every command of the extension: what it does, and whether it needs the server.

import { commands, l10n } from "vscode";
import type { Disposable } from "vscode";

import { said } from "../log";
import { Mistake } from "./mistake";
import type { ServerCommand } from "../daemon/client";
import type { Session } from "../session";
import { accept } from "./accept";
import { acceptHunks } from "./acceptHunks";
import { answer } from "./answer";
import { candidateRetry } from "./candidateRetry";
import { chooseModel } from "./chooseModel";
import { choosePython } from "./choosePython";
import { comment } from "./comment";
import { compare } from "./compare";
import { copy } from "./copy";
import { decide } from "./decide";
import { diff } from "./diff";
import { dismissThread } from "./dismissThread";
import { doctor } from "./doctor";
import { edit } from "./edit";
import { estimate } from "./estimate";
import { forget } from "./forget";
import { forgetKeys } from "./forgetKeys";
import { history } from "./history";
import { keepPreview } from "./keepPreview";
import { mixHunks } from "./mixHunks";
import { more } from "./more";
import { nextCandidate } from "./nextCandidate";
import { openDemo } from "./openDemo";
import { openSettings } from "./openSettings";
import { openTests } from "./openTests";
import { openWalkthrough } from "./openWalkthrough";
import { previousCandidate } from "./previousCandidate";
import { reject } from "./reject";
import { repairTraceback } from "./repairTraceback";
import { report } from "./report";
import { restart } from "./restart";
import { resume } from "./resume";
import { retry } from "./retry";
import { review } from "./review";
import { rewrite } from "./rewrite";
import { reveal } from "./reveal";
import { showLog } from "./showLog";
import { generateAt, start } from "./start";
import { stop } from "./stop";
import { switchAmbientOn } from "./switchAmbientOn";
import { verify } from "./verify";
import { regret } from "../tell";

/** One command. Its argument comes from a menu, a link or another extension, so it may be anything. */
export interface Row {
    readonly run: (session: Session, argument: unknown) => Promise<unknown>;
    /** Whether it can be had while the server does not run; else the server is started first. */
    readonly whenStopped: boolean;
}

const NEEDS_SERVER = { whenStopped: false };
const ALWAYS = { whenStopped: true };

/** The commands of `package.json`, by their names there. */
export const TABLE: Readonly<Record<string, Row>> = {
    "certo.start": { run: start, ...NEEDS_SERVER },
    "certo.rewrite": { run: rewrite, ...NEEDS_SERVER },
    "certo.verify": { run: verify, ...NEEDS_SERVER },
    "certo.estimate": { run: estimate, ...NEEDS_SERVER },
    "certo.repairTraceback": { run: repairTraceback, ...NEEDS_SERVER },
    "certo.search.stop": { run: stop, ...NEEDS_SERVER },
    "certo.search.resume": { run: resume, ...NEEDS_SERVER },
    "certo.search.retry": { run: retry, ...NEEDS_SERVER },
    "certo.search.decide": { run: decide, ...NEEDS_SERVER },
    "certo.search.reveal": { run: reveal, ...ALWAYS },
    "certo.search.forget": { run: forget, ...NEEDS_SERVER },
    "certo.search.history": { run: history, ...ALWAYS },
    "certo.search.review": { run: review, ...NEEDS_SERVER },
    "certo.candidate.accept": { run: accept, ...NEEDS_SERVER },
    "certo.candidate.retry": { run: candidateRetry, ...NEEDS_SERVER },
    "certo.candidate.acceptHunks": { run: acceptHunks, ...NEEDS_SERVER },
    "certo.candidate.keepPreview": { run: keepPreview, ...NEEDS_SERVER },
    "certo.candidate.mixHunks": { run: mixHunks, ...NEEDS_SERVER },
    "certo.candidate.diff": { run: diff, ...NEEDS_SERVER },
    "certo.candidate.report": { run: report, ...NEEDS_SERVER },
    "certo.candidate.edit": { run: edit, ...NEEDS_SERVER },
    "certo.candidate.reject": { run: reject, ...NEEDS_SERVER },
    "certo.candidate.copy": { run: copy, ...NEEDS_SERVER },
    "certo.candidate.openTests": { run: openTests, ...ALWAYS },
    "certo.candidate.compare": { run: compare, ...NEEDS_SERVER },
    "certo.review.next": { run: nextCandidate, ...NEEDS_SERVER },
    "certo.review.previous": { run: previousCandidate, ...NEEDS_SERVER },
    "certo.candidate.comment": { run: comment, ...NEEDS_SERVER },
    "certo.thread.retry": { run: answer, ...NEEDS_SERVER },
    "certo.thread.dismiss": { run: dismissThread, ...ALWAYS },
    "certo.model.choose": { run: chooseModel, ...ALWAYS },
    "certo.model.forgetKeys": { run: forgetKeys, ...ALWAYS },
    "certo.restart": { run: restart, ...ALWAYS },
    "certo.showLog": { run: showLog, ...ALWAYS },
    "certo.server.choosePython": { run: choosePython, ...ALWAYS },
    "certo.doctor": { run: doctor, ...ALWAYS },
    "certo.ambient.switchOn": { run: switchAmbientOn, ...ALWAYS },
    "certo.openDemo": { run: openDemo, ...ALWAYS },
    "certo.openWalkthrough": { run: openWalkthrough, ...ALWAYS },
    "certo.openSettings": { run: openSettings, ...ALWAYS },
};

/** What the server's own commands do here, which come in its code actions and hovers. */
export const OF_SERVER: Readonly<Record<ServerCommand, Row["run"]>> = {
    "certo.generate": generateAt,
    "certo.cancel": stop,
    "certo.accept": accept,
    "certo.retry": retry,
    "certo.showDiff": diff,
    "certo.dismiss": forget,
    "certo.next": nextCandidate,
    "certo.more": more,
};

/** Registers every command. */
export function registerCommands(session: Session): Disposable[] {
    return Object.entries(TABLE).map(([name, row]) =>
        commands.registerCommand(name, (argument: unknown) => run(session, row, argument)),
    );
}

/** Runs a command; what goes wrong is said to the user in the words of whoever refused. */
export async function run(session: Session, row: Row, argument: unknown): Promise<unknown> {
    try {
        if (!row.whenStopped) await session.daemon.started();
        // It has been said why, with what to do about it.
        if (!row.whenStopped && session.daemon.state.kind === "failed") return undefined;
        return await row.run(session, argument);
    } catch (error) {
        if (error instanceof Mistake) {
            void error.tell();
            return undefined;
        }
        session.log.error(said(error));
        const log = l10n.t("Show the Log");
        void regret(said(error), log).then((chosen) => {
            if (chosen === log) session.log.show();
        });
        return undefined;
    }
}
