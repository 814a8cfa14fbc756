// A language model of the test's own, which speaks like OpenAI's: what it answers depends on what it is asked.

import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";

import type { Settings } from "./workbench";

/** A model that runs on this machine. */
export class Model {
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

    /** The settings that have certo ask it. */
    get settings(): Settings {
        const address = this.server.address();
        const port = typeof address === "object" && address !== null ? address.port : 0;
        return {
            "certo.search.generator": "model",
            "certo.model.name": "openai:test",
            "certo.model.baseUrl": `http://127.0.0.1:${port}/v1`,
        };
    }

    /** Ends it, with every connection. */
    stop(): void {
        this.server.closeAllConnections();
        this.server.close();
    }

    /** An answer as it is streamed, word by word. */
    private written(asked: string): string {
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
