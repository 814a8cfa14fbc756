// The Python extension, where it is installed: which interpreter its user has chosen for a folder, and when it changes.

import { EventEmitter, extensions } from "vscode";
import type { Disposable, Event, Extension, LogOutputChannel, Uri } from "vscode";

import { said } from "../log";
import { runToEnd } from "./programs";

const ID = "ms-python.python";

/** How long an answer waits for the Python extension to wake, in milliseconds; when it is awake, it is asked again. */
const PATIENCE = 1_000;

/** What we use of what the Python extension offers to others. */
interface Environments {
    getActiveEnvironmentPath(resource?: Uri): { readonly path: string };
    resolveEnvironment(environment: { readonly path: string }): Promise<Resolved | undefined>;
    readonly onDidChangeActiveEnvironmentPath: Event<unknown>;
}

/** A Python environment, as the Python extension tells of it. */
interface Resolved {
    readonly executable: { readonly uri?: { readonly fsPath: string } | undefined };
    /** Set when it is a virtual or a conda environment, and not a Python that is there for everybody. */
    readonly environment?: object | undefined;
}

/** An interpreter that the user has chosen in the Python extension. */
export interface Chosen {
    readonly executable: string;
    readonly isEnvironment: boolean;
}

/** Asks the Python extension; without it, nothing is known and nothing ever changes. */
export class PythonExtension implements Disposable {
    private readonly changed = new EventEmitter<undefined>();
    private readonly listening: Disposable[];
    private environments: Promise<Environments | undefined> | undefined;

    /** Tells that another interpreter may be in use now, in some folder. */
    readonly onDidChange: Event<undefined> = this.changed.event;

    constructor(private readonly log: LogOutputChannel) {
        this.listening = [
            extensions.onDidChange(() => {
                if (extensions.getExtension(ID) === undefined) this.environments = undefined;
                else if (this.environments === undefined) this.changed.fire(undefined);
            }),
        ];
    }

    /** The interpreter in use for a folder or a document. */
    async chosenFor(resource: Uri | undefined): Promise<Chosen | undefined> {
        const environments = await this.awake();
        if (environments === undefined) return undefined;
        try {
            const resolved = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(resource));
            const executable = resolved?.executable.uri?.fsPath;
            if (executable === undefined) return undefined;
            return { executable, isEnvironment: resolved?.environment !== undefined };
        } catch (error) {
            this.log.warn(`${ID}: ${said(error)}`);
            return undefined;
        }
    }

    /**
     * The interpreter to run the code of a folder under; undefined where the server is to look for one itself.
     *
     * A Python that is there for everybody is in use also where nobody has chosen anything. So it counts only if it can
     * run tests; the server finds a better one otherwise.
     */
    async interpreterFor(resource: Uri | undefined): Promise<string | undefined> {
        const chosen = await this.chosenFor(resource);
        if (chosen === undefined) return undefined;
        return chosen.isEnvironment || (await hasPytest(chosen.executable)) ? chosen.executable : undefined;
    }

    dispose(): void {
        for (const each of this.listening) each.dispose();
        this.changed.dispose();
    }

    /** What it offers, if it is awake soon; when it wakes later, that is told as a change. */
    private async awake(): Promise<Environments | undefined> {
        const extension = extensions.getExtension<unknown>(ID);
        if (extension === undefined) return undefined;
        this.environments ??= this.wake(extension);
        let late = false;
        const waking = this.environments.then((environments) => {
            if (late && environments !== undefined) this.changed.fire(undefined);
            return environments;
        });
        const timeout = new Promise<undefined>((resolve) =>
            setTimeout(() => {
                late = true;
                resolve(undefined);
            }, PATIENCE),
        );
        return await Promise.race([waking, timeout]);
    }

    private async wake(extension: Extension<unknown>): Promise<Environments | undefined> {
        try {
            const offered = await extension.activate();
            if (!offers(offered)) return undefined;
            const { environments } = offered;
            this.listening.push(
                environments.onDidChangeActiveEnvironmentPath(() => {
                    this.changed.fire(undefined);
                }),
            );
            return environments;
        } catch (error) {
            this.log.warn(`${ID}: ${said(error)}`);
            return undefined;
        }
    }
}

async function hasPytest(executable: string): Promise<boolean> {
    const look = "import importlib.util, sys; sys.exit(importlib.util.find_spec('pytest') is None)";
    return (await runToEnd(executable, ["-I", "-c", look], { patience: 10_000 })).code === 0;
}

function offers(value: unknown): value is { environments: Environments } {
    if (typeof value !== "object" || value === null || !("environments" in value)) return false;
    const { environments } = value;
    return (
        typeof environments === "object" &&
        environments !== null &&
        "getActiveEnvironmentPath" in environments &&
        "resolveEnvironment" in environments &&
        "onDidChangeActiveEnvironmentPath" in environments
    );
}
