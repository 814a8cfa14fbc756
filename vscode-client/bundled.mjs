// Puts into bundled/ what the extension carries besides its own code: the wheel of certo, and the project to try it on.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";

const python = process.env.PYTHON ?? (process.platform === "win32" ? "python" : "python3");

rmSync("bundled", { recursive: true, force: true });
mkdirSync("bundled");
execFileSync(python, ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", "bundled", ".."], {
    stdio: "inherit",
});
cpSync("../server/certo/cli/example", "bundled/demo", {
    recursive: true,
    filter: (source) => !/[\\/](__pycache__|\.[^\\/]*)$/.test(source),
});
