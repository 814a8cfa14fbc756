// The journey with the client library of the language server protocol's authors: their framing, types and promises.
//
//   JOURNEY_CLIENT=…/node_modules JOURNEY_PYTHON=… JOURNEY_FILE=… node journey.mjs
//
// Prints one line per step, and ends at the first that does not hold, or with exit code 0.

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

const { JOURNEY_CLIENT, JOURNEY_PYTHON, JOURNEY_FILE } = process.env;
const lsp = createRequire(`${JOURNEY_CLIENT}/`)("vscode-languageserver-protocol/node");

const PATIENCE = 100_000;
const uri = pathToFileURL(JOURNEY_FILE).href;
let text = readFileSync(JOURNEY_FILE, "utf8");
let version = 1;

function check(step, held, seen = "") {
  console.log(`${held ? "ok   " : "FAIL "} ${step}: ${seen}`);
  if (!held) throw new Error(step);
}

// Where something is said, those who wait for it look again.
const listeners = new Set();
function stirred() {
  for (const look of [...listeners]) look();
}
function until(found) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`waited in vain for ${found}`)), PATIENCE);
    const look = () => {
      const value = found();
      if (!value) return;
      clearTimeout(late);
      listeners.delete(look);
      resolve(value);
    };
    listeners.add(look);
    look();
  });
}

const server = spawn(JOURNEY_PYTHON, ["-m", "certo", "serve"], { stdio: ["pipe", "pipe", "inherit"] });
const left = new Promise((resolve) => server.on("exit", (code, signal) => resolve(code ?? signal)));
const connection = lsp.createProtocolConnection(
  new lsp.StreamMessageReader(server.stdout),
  new lsp.StreamMessageWriter(server.stdin),
);
const unasked = [];
connection.onError(([error]) => unasked.push(error.message));
connection.onUnhandledNotification((message) => unasked.push(message.method));

const said = [];
const progress = new Map();
connection.onNotification(lsp.ShowMessageNotification.type, (params) => {
  said.push(params.message);
  stirred();
});
connection.onRequest(lsp.WorkDoneProgressCreateRequest.type, ({ token }) => {
  progress.set(token, []);
  connection.onProgress(lsp.WorkDoneProgress.type, token, (value) => {
    progress.get(token).push(value);
    stirred();
  });
});
connection.onRequest(lsp.ApplyWorkspaceEditRequest.type, ({ edit }) => {
  const [change] = edit.documentChanges;
  if (change.textDocument.uri !== uri || change.textDocument.version !== version) {
    return { applied: false, failureReason: "that is another document, or another version of it" };
  }
  edited(change.edits);
  return { applied: true };
});
connection.listen();

const SUPPORTED = {
  general: { positionEncodings: ["utf-16"] },
  window: { workDoneProgress: true },
  workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } },
  textDocument: {
    hover: { contentFormat: ["markdown", "plaintext"] },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["", "quickfix", "refactor"] } } },
  },
};

// Apply edits, which never overlap, from the last to the first; JavaScript counts in UTF-16, as we have agreed to do.
function edited(edits) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const offset = ({ line, character }) => starts[line] + character;
  for (const { range, newText } of [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start))) {
    text = text.slice(0, offset(range.start)) + newText + text.slice(offset(range.end));
  }
  version += 1;
  connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version },
    contentChanges: [{ text }],
  });
  stirred();
}

function place(name) {
  const before = text.slice(0, text.indexOf(`def ${name}`) + "def ".length).split("\n");
  return { line: before.length - 1, character: before.at(-1).length };
}

async function actions(name) {
  const position = place(name);
  const range = { start: position, end: position };
  const asked = { textDocument: { uri }, range, context: { diagnostics: [], triggerKind: 1 } };
  return (await connection.sendRequest(lsp.CodeActionRequest.type, asked)) ?? [];
}

async function choose(name, part) {
  const offered = await actions(name);
  const chosen = offered.find(({ title }) => title.includes(part));
  check(`offered to ${part}`, chosen, offered.map(({ title }) => title).join(" | "));
  return connection.sendRequest(lsp.ExecuteCommandRequest.type, chosen.command);
}

async function card(name) {
  const shown = await connection.sendRequest(lsp.HoverRequest.type, { textDocument: { uri }, position: place(name) });
  return shown?.contents.value ?? "";
}

async function repair() {
  const before = text;
  const started = await choose("change", "repair `change` until its tests pass");
  check("running", started.state === "running", JSON.stringify(started));
  const result = await until(() => said.find((sentence) => sentence.includes("`change`")));
  check("result", result.includes("is verified by 3 tests"), result);
  const [reports] = progress.values();
  check("progress", reports[0].kind === "begin" && reports.at(-1).kind === "end", `${reports.length} reports`);
  const hover = await card("change");
  check("hover", hover.includes("tests 3/3") && hover.includes("```diff"), hover.split("\n")[0]);
  await choose("change", "accept #1");
  await until(() => text !== before);
  check("accepted", text.includes("🪙"), "the edit is in the text");
  writeFileSync(JOURNEY_FILE, text);
  connection.sendNotification(lsp.DidSaveTextDocumentNotification.type, { textDocument: { uri } });
}

async function cancel() {
  const { searchId } = await choose("weight", "repair `weight` until its tests pass");
  const reports = await until(() => progress.get(`certo:${searchId}`));
  await until(() => reports.some(({ message }) => message?.includes("tests")));
  check("cancellable", reports[0].cancellable, reports.at(-1).message);
  const hover = await card("weight");
  check("hover while it runs", hover.includes("Searching for weight"), hover.split("\n")[0]);
  connection.sendNotification(lsp.WorkDoneProgressCancelNotification.type, { token: `certo:${searchId}` });
  await until(() => reports.at(-1).kind === "end");
  const titles = (await actions("weight")).map(({ title }) => title);
  check("cancelled", titles.includes("Certo: retry") && !titles.some((title) => title.includes("cancel")), titles.join(" | "));
}

async function journey() {
  const folder = { uri: pathToFileURL(dirname(JOURNEY_FILE)).href, name: "coins" };
  const asked = { processId: process.pid, rootUri: folder.uri, workspaceFolders: [folder], capabilities: SUPPORTED };
  const { capabilities, serverInfo } = await connection.sendRequest(lsp.InitializeRequest.type, asked);
  check("initialize", capabilities.positionEncoding === "utf-16", `${serverInfo.name} ${serverInfo.version}`);
  connection.sendNotification(lsp.InitializedNotification.type, {});
  connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "python", version, text },
  });
  await repair();
  await cancel();
  check("nothing that was not asked for", unasked.length === 0, unasked.join(", "));
  check("shutdown", (await connection.sendRequest(lsp.ShutdownRequest.type)) === null);
  connection.sendNotification(lsp.ExitNotification.type);
  const code = await left;
  check("exit", code === 0, code);
}

try {
  await journey();
} catch (error) {
  console.log(error.stack);
  process.exitCode = 1;
} finally {
  server.kill();
  connection.dispose();
}
