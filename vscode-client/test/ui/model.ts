// A language model of the test's own, which speaks like OpenAI's: what it answers depends on what it is asked.

import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";

import type { Settings } from "./workbench";

/** A whole answer, or pieces of one that come when the test lets them. */
export type Answer = string | AsyncIterable<string>;

/** A model that runs on this machine. */
export class Model {
    private constructor(
        private readonly server: Server,
        private readonly answer: (asked: string) => Answer,
    ) {}

    /** Starts a model, which answers a question as this function says. */
    static async start(answer: (asked: string) => Answer): Promise<Model> {
        const server = createServer();
        const model = new Model(server, answer);
        server.on("request", (request, response) => {
            void read(request).then(async (asked) => {
                response.writeHead(200, { "Content-Type": "text/event-stream" });
                await model.write(asked, response);
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

    /** Streams an answer, word by word if it is whole. */
    private async write(asked: string, response: ServerResponse): Promise<void> {
        const answer = this.answer(asked);
        for await (const content of typeof answer === "string" ? answer.split(/(?<=\s)/u) : answer) {
            if (response.destroyed) return;
            response.write(chunk({ content }, null));
        }
        response.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
    }
}

function chunk(delta: object, finish: string | null): string {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    return `data: ${JSON.stringify({ id: "answer", object: "chat.completion.chunk", created: 0, model: "test", choices })}\n\n`;
}

async function read(request: IncomingMessage): Promise<string> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(Buffer.from(piece as Uint8Array));
    return Buffer.concat(pieces).toString("utf8");
}
