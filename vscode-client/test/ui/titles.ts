// What the commands of the extension are called on the screen, from where they are declared.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { CLIENT } from "./places";

interface Manifest {
    readonly contributes: { readonly commands: readonly { readonly command: string; readonly title: string }[] };
}

/** The title of a command as the palette shows it. */
export function titleOf(command: string): string {
    const { contributes } = JSON.parse(readFileSync(join(CLIENT, "package.json"), "utf8")) as Manifest;
    const words = JSON.parse(readFileSync(join(CLIENT, "package.nls.json"), "utf8")) as Record<string, string>;
    const title = contributes.commands.find((each) => each.command === command)?.title;
    if (title === undefined) throw new Error(`package.json has no command ${command}`);
    return `Certo: ${title.replace(/^%(.*)%$/, (_, key: string) => words[key] ?? key)}`;
}
