// Why there is no server: the kinds of it, for which the user is offered different things to do next.

/** What is in the way of a server. */
export type Problem = "untrusted" | "noPython" | "notInstalled" | "cancelled" | "noProgram" | "crashed" | "failed";

/** There is no server to be had; the message is a sentence for the user. */
export class NoServer extends Error {
    constructor(
        readonly problem: Problem,
        message: string,
    ) {
        super(message);
        this.name = "NoServer";
    }
}

/** The lines of a failed program's output that say why: its errors if it marks them so, else the last line there is. */
export function lastWords(printed: readonly string[]): string {
    const lines = printed.map((line) => line.trim()).filter((line) => line !== "");
    const errors = lines
        .filter((line) => /^(ERROR|Error|error):/.test(line))
        .map((line) => line.replace(/^\w+:\s*/, ""));
    return (errors.length > 0 ? errors.slice(-2) : lines.slice(-1)).join(" ");
}

/** Whether a failed installation looks as if the package index could not be reached. */
export function looksOffline(printed: readonly string[]): boolean {
    return printed.some((line) =>
        /NewConnectionError|NameResolutionError|Temporary failure in name resolution|getaddrinfo failed|ConnectTimeout|ProxyError|Network is unreachable|Connection refused/.test(
            line,
        ),
    );
}
