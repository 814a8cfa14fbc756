// The files that tests stand in, as the editor names them.

import { Uri } from "vscode";

import type { Search } from "../searches/state";
import type { TestPlace } from "./testPlaces";

/** The document that a test of a search stands in; that of the function itself for an example in a docstring. */
export function testFile({ uri, root }: Pick<Search, "uri" | "root">, { path }: TestPlace): Uri {
    // The root is a path of the machine that the server runs on, with a drive and backslashes where those are used.
    return path === null ? Uri.parse(uri) : Uri.joinPath(Uri.file(root), path);
}
