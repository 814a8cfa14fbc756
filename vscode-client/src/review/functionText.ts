// The text of one function, cut out of a file of Python by its indentation. Pure.

const QUOTES = ['"""', "'''", '"', "'"] as const;

/** What a line leaves open: brackets, and a text in three quotes. */
interface Open {
    readonly brackets: number;
    readonly quote: string;
}

/** Reads a line on from what those before have left open. */
function after(line: string, { brackets, quote }: Open): Open {
    let open = brackets;
    let within = quote;
    for (let at = 0; at < line.length; at++) {
        if (within !== "") {
            if (line[at] === "\\") at++;
            else if (line.startsWith(within, at)) {
                at += within.length - 1;
                within = "";
            }
            continue;
        }
        if (line[at] === "#") break;
        const quoted = QUOTES.find((each) => line.startsWith(each, at));
        if (quoted !== undefined) {
            within = quoted;
            at += quoted.length - 1;
        } else if ("([{".includes(line[at] ?? " ")) open++;
        else if (")]}".includes(line[at] ?? " ")) open--;
    }
    return { brackets: open, quote: within.length === 3 ? within : "" };
}

function depthOf(line: string): number {
    return line.length - line.trimStart().length;
}

/** Whether a line ends a function that stands at this depth, if it is part of no text and in no brackets. */
function ends(line: string, depth: number): boolean {
    return says(line) && depthOf(line) <= depth;
}

/** Whether a line has more than a comment. */
function says(line: string): boolean {
    return line.trim() !== "" && !line.trimStart().startsWith("#");
}

/** The function whose `def`, or first decorator, is at a line of the text, from 1; moved to the left margin. */
export function functionIn(text: string, line: number): string {
    const lines = text.split(/\r\n|\r|\n/u).slice(line - 1);
    const depth = depthOf(lines[0] ?? "");
    const taken: string[] = [];
    let open: Open = { brackets: 0, quote: "" };
    let begun = false;
    let kept = 0;
    for (const each of lines) {
        const free = open.brackets === 0 && open.quote === "";
        if (free && begun && ends(each, depth)) break;
        begun ||= free && /^\s*(?:async\s+)?def\b/u.test(each);
        taken.push(open.quote === "" ? each.slice(Math.min(depth, depthOf(each))) : each);
        open = after(each, open);
        if (!free || says(each)) kept = taken.length;
    }
    return `${taken.slice(0, kept).join("\n")}\n`;
}
