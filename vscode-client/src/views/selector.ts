// Which documents searches can be about.

import type { DocumentSelector } from "vscode";

/** Python files, and the cells of notebooks. */
export const PYTHON: DocumentSelector = [
    { scheme: "file", language: "python" },
    { scheme: "untitled", language: "python" },
    { notebookType: "*", language: "python" },
];
