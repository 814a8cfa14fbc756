// VS Code's own server: it serves the workbench to a browser, and runs the extensions.

import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
    cpSync,
    existsSync,
    mkdirSync,
    openSync,
    readdirSync,
    readFileSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";

import { extension, installInto } from "./installed";
import { NODE, SERVER_MAIN } from "./places";
import { kill, living } from "./processes";
import { until } from "./waiting";

/** Settings by their names. */
export type Settings = Readonly<Record<string, unknown>>;

/** How the server is set up. */
export interface Setup {
    /** The home of everything that runs: short, for the paths of sockets are. */
    readonly home: string;
    /** Where it listens. */
    readonly port: number;
    readonly settings: Settings;
    readonly trusted: boolean;
    /** Folders of further extensions. */
    readonly extensions: readonly string[];
    /** The folders that programs are looked for in. */
    readonly path: string;
    /**
     * Whether the extension is installed, or which package of it is, instead of the one that is to be tested; a test that
     * runs inside the extension host brings it otherwise.
     */
    readonly installed: boolean | { readonly vsix: string };
}

/** Where VS Code keeps everything on a machine that it is the server of, below the home. */
const OWN = ".vscode-server";
const DATA = join(OWN, "data");

/** What would cover the screen, ask the network, or move while a picture is taken. */
const QUIET: Settings = {
    "chat.disableAIFeatures": true,
    "editor.accessibilitySupport": "off",
    "editor.minimap.enabled": false,
    "editor.occurrencesHighlight": "off",
    "extensions.autoCheckUpdates": false,
    "extensions.autoUpdate": false,
    "extensions.ignoreRecommendations": true,
    "files.autoSave": "off",
    "files.hotExit": "off",
    "files.simpleDialog.enable": true,
    "git.openRepositoryInParentFolders": "never",
    "remote.autoForwardPorts": false,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "window.restoreWindows": "none",
    "workbench.editor.useModal": "off",
    "workbench.enableExperiments": false,
    "workbench.reduceMotion": "on",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
    "workbench.welcomePage.walkthroughs.openOnInstall": false,
};

/** One running server, with everything that it has started. */
export class Workbench {
    private constructor(
        private readonly setup: Setup,
        private readonly process: ChildProcess,
    ) {}

    get home(): string {
        return this.setup.home;
    }

    get port(): number {
        return this.setup.port;
    }

    /** Starts a server; resolves when it answers. */
    static async start(setup: Setup): Promise<Workbench> {
        const { home, port } = setup;
        if (!existsSync(SERVER_MAIN)) throw new Error("VS Code is not installed: node test/ui/install.mjs");
        writeSettings(home, { ...QUIET, ...setup.settings });
        install(setup);
        const log = openSync(join(home, "server.log"), "a");
        const child = spawn(
            NODE,
            [
                ...[SERVER_MAIN, "--accept-server-license-terms", "--server-data-dir", join(home, OWN)],
                ...["--host", "127.0.0.1", "--port", String(port), "--without-connection-token"],
                ...["--telemetry-level", "off", "--disable-experiments"],
                // The path is the one that the test says, and not the one of the user's shell.
                "--force-disable-user-env",
                ...(setup.trusted ? ["--disable-workspace-trust"] : []),
                // Without it, a test inside the extension host is ignored; with it, no messages are shown.
                ...(setup.installed !== false ? [] : ["--enable-smoke-test-driver"]),
            ],
            { env: environment(setup), stdio: ["ignore", log, log], detached: true },
        );
        const workbench = new Workbench(setup, child);
        // A test that is broken off ends what it has started, too.
        process.once("exit", workbench.kill);
        try {
            await until("an answer of VS Code's server", () => workbench.answers());
        } catch (error) {
            await workbench.stop();
            throw error;
        }
        return workbench;
    }

    /** Its process, of which every other is a child. */
    get pid(): number {
        return this.process.pid ?? 0;
    }

    /** The address of a window on a folder, or on a `.code-workspace` file. */
    address(target: string, payload: readonly (readonly [string, string])[] = []): string {
        const url = new URL(`http://127.0.0.1:${this.port}/`);
        url.searchParams.set(target.endsWith(".code-workspace") ? "workspace" : "folder", target);
        if (payload.length > 0) url.searchParams.set("payload", JSON.stringify(payload));
        return url.href;
    }

    /** Where VS Code lets the extension keep files, for all workspaces. */
    get storage(): string {
        return join(this.home, DATA, "User/globalStorage/certo.certo");
    }

    /** Has VS Code install a package over the one that it has; windows see it when they are loaded anew. */
    upgrade(vsix: string): void {
        installInto(join(this.home, OWN), vsix);
    }

    /** Runs a program as in a terminal of the window, and tells what it printed. */
    run(command: string, args: readonly string[]): string {
        return execFileSync(command, args, { cwd: this.home, env: environment(this.setup), encoding: "utf8" });
    }

    /** The last lines that were logged to a file of this name. */
    tail(file: string, lines: number): string {
        const folder = join(this.home, DATA, "logs");
        if (!existsSync(folder)) return "";
        return readdirSync(folder, { recursive: true })
            .map(String)
            .filter((name) => basename(name) === file)
            .map((name) => readFileSync(join(folder, name), "utf8"))
            .join("")
            .trimEnd()
            .split("\n")
            .slice(-lines)
            .join("\n");
    }

    /** Copies all logs there, and the journals of the searches. */
    keepLogs(folder: string): void {
        for (const name of [join(DATA, "logs"), "server.log", "share/certo/journals"]) {
            const path = join(this.home, name);
            if (existsSync(path)) cpSync(path, join(folder, basename(name)), { recursive: true });
        }
    }

    /** Ends the server and everything that lives in its home, which goes with them. */
    async stop(): Promise<void> {
        if (this.process.pid !== undefined && this.process.exitCode === null) {
            const gone = new Promise((resolve) => this.process.once("exit", resolve));
            process.kill(-this.pid, "SIGTERM");
            await Promise.race([gone, until("the end of VS Code's server", () => false, 5_000).catch(() => undefined)]);
        }
        process.off("exit", this.kill);
        this.kill();
    }

    private readonly kill = (): void => {
        for (const { pid } of living(this.home)) kill(pid);
        rmSync(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    };

    private async answers(): Promise<boolean> {
        if (this.process.exitCode !== null) {
            throw new Error(`VS Code's server ended: ${readFileSync(join(this.home, "server.log"), "utf8")}`);
        }
        try {
            return (await fetch(`http://127.0.0.1:${this.port}/version`)).ok;
        } catch {
            return false;
        }
    }
}

/** A window in a browser is a remote one: settings of the machine are read from a file of their own. */
function writeSettings(home: string, settings: Settings): void {
    for (const place of ["User", "Machine"]) {
        mkdirSync(join(home, DATA, place), { recursive: true });
        writeFileSync(join(home, DATA, place, "settings.json"), JSON.stringify(settings, null, 4));
    }
}

/** Extensions are taken as they are found in their folder. */
function install(setup: Setup): void {
    const own = join(setup.home, OWN);
    const folder = join(own, "extensions");
    mkdirSync(folder, { recursive: true });
    if (typeof setup.installed === "object") installInto(own, setup.installed.vsix);
    const all = setup.installed === true ? [extension(), ...setup.extensions] : setup.extensions;
    for (const each of all) symlinkSync(each, join(folder, basename(each)));
}

function environment(setup: Setup): NodeJS.ProcessEnv {
    const { home } = setup;
    // Sockets and temporary files go with the home.
    const run = join(home, "run");
    mkdirSync(run, { recursive: true, mode: 0o700 });
    const kept = Object.entries(process.env).filter(([name]) => !/^(CERTO_|XDG_|VSCODE_|NODE_|npm_)/.test(name));
    return {
        ...Object.fromEntries(kept),
        PATH: setup.path,
        HOME: home,
        TMPDIR: run,
        XDG_RUNTIME_DIR: run,
        XDG_DATA_HOME: join(home, "share"),
        XDG_CONFIG_HOME: join(home, "config"),
        XDG_CACHE_HOME: join(home, "cache"),
        XDG_STATE_HOME: join(home, "state"),
    };
}
