// The calls of agents in this window, and who is told of them.

import { EventEmitter } from "vscode";
import type { Disposable, Event } from "vscode";

import { Calls } from "./calls";

/** The calls that the Certo view shows beside the searches. */
export class AgentCalls extends Calls implements Disposable {
    private readonly changed: EventEmitter<undefined>;

    readonly onDidChange: Event<undefined>;

    constructor() {
        const changed = new EventEmitter<undefined>();
        super(() => {
            changed.fire(undefined);
        });
        this.changed = changed;
        this.onDidChange = changed.event;
    }

    dispose(): void {
        this.changed.dispose();
    }
}
