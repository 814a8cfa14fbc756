// The calls of tools that are no searches, as the Certo view shows them. Pure: no editor in here.

/** The tools that agents call, by their names in `package.json`. */
export const TOOLS = [
    "certo_verify",
    "certo_repair",
    "certo_generate",
    "certo_diff",
    "certo_tests",
    "certo_strength",
] as const;

/** The name of a tool. */
export type ToolName = (typeof TOOLS)[number];

/** How many calls that have ended are shown. */
const SHOWN = 5;

/** A call of a tool by an agent. */
export interface Call {
    readonly id: string;
    readonly tool: ToolName;
    readonly target: string;
    /** `passed` and `failed` are the function's; `refused` is a call without an answer. */
    state: "running" | "passed" | "failed" | "refused" | "cancelled";
    /** What came of it, in a sentence. */
    said: string;
    /** The whole report in Markdown; empty when there is none. */
    report: string;
}

/** What came of a call. */
export type Outcome = Pick<Call, "state" | "said" | "report">;

/** The calls of this window: all that run, and the last that have ended. */
export class Calls {
    private readonly known = new Map<string, Call>();
    private count = 0;

    /** Tells whenever something is otherwise. */
    constructor(private readonly tell: () => void) {}

    /** Every call, the newest first. */
    all(): Call[] {
        return [...this.known.values()].reverse();
    }

    get(id: string): Call | undefined {
        return this.known.get(id);
    }

    /** Takes note that a tool was called; an ended call of the same tool on the same function makes room. */
    begin(tool: ToolName, target: string): Call {
        for (const old of this.ended()) {
            if (old.tool === tool && old.target === target) this.known.delete(old.id);
        }
        this.count++;
        const call: Call = { id: `call-${this.count}`, tool, target, state: "running", said: "", report: "" };
        this.known.set(call.id, call);
        this.tell();
        return call;
    }

    /** Takes note of what came of a call. */
    end(call: Call, outcome: Outcome): void {
        Object.assign(call, outcome);
        for (const old of this.ended().slice(0, -SHOWN)) this.known.delete(old.id);
        this.tell();
    }

    private ended(): Call[] {
        return [...this.known.values()].filter(({ state }) => state !== "running");
    }
}
