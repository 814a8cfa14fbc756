// A language model of the test's own, which speaks like OpenAI's: what it answers depends on what it is asked.

import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";

import { pause } from "./waiting";
import type { Settings } from "./workbench";

/** A model that runs on this machine. */
export class Model {
    private constructor(
        private readonly server: Server,
        private readonly answer: (asked: string) => string,
        private readonly pace: number,
    ) {}

    /** Starts a model, which answers a question as this function says, with so many milliseconds between two words. */
    static async start(answer: (asked: string) => string, pace = 0): Promise<Model> {
        const server = createServer();
        const model = new Model(server, answer, pace);
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

    /** Streams an answer, word by word. */
    private async write(asked: string, response: ServerResponse): Promise<void> {
        for (const content of this.answer(asked).split(/(?<=\s)/u)) {
            if (this.pace > 0) await pause(this.pace);
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
