// The names of the server's settings. Made by `certo schema --vscode-names`; what is changed here is lost.

/** Every setting that the server reads, by its path. */
export const SERVER_SETTINGS: readonly string[] = ["interpreter"];
