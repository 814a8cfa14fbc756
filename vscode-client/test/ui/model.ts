// A language model of the test's own, which speaks like OpenAI's: what it answers depends on what it is asked.

import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";

/** A model that runs on this machine. */
export class Model {
    /** What it was asked, in the order of asking. */
    readonly asked: string[] = [];

    private constructor(
        private readonly server: Server,
        private readonly answer: (asked: string) => string,
    ) {}

    /** Starts a model, which answers a question as this function says. */
    static async start(answer: (asked: string) => string): Promise<Model> {
        const server = createServer();
        const model = new Model(server, answer);
        server.on("request", (request, response) => {
            void read(request).then((asked) => {
                response.writeHead(200, { "Content-Type": "text/event-stream" });
                response.end(model.written(asked));
            });
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        return model;
    }

    /** Where it is. */
    get url(): string {
        const address = this.server.address();
        return typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/v1` : "";
    }

    /** Ends it, with every connection. */
    stop(): void {
        this.server.closeAllConnections();
        this.server.close();
    }

    /** An answer as it is streamed, word by word. */
    private written(asked: string): string {
        this.asked.push(asked);
        const words = this.answer(asked).split(/(?<=\s)/u);
        const chunk = (delta: object, finish: string | null): string =>
            `data: ${JSON.stringify({
                id: "answer",
                object: "chat.completion.chunk",
                created: 0,
                model: "test",
                choices: [{ index: 0, delta, finish_reason: finish }],
            })}\n\n`;
        return [...words.map((content) => chunk({ content }, null)), chunk({}, "stop"), "data: [DONE]\n\n"].join("");
    }
}

async function read(request: IncomingMessage): Promise<string> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(Buffer.from(piece as Uint8Array));
    return Buffer.concat(pieces).toString("utf8");
}
