"""Asks PyPI for known weaknesses of the locked packages, and says why where it cannot be asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from support.supply.locked import LOCKS

_COMMAND = (sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off")


def verdict(answer: str, errors: str, *, must: bool) -> tuple[int, str]:
    """Return the exit code and what to print, from the JSON and the errors that pip-audit wrote.

    A package that could not be looked up leaves the audit undone; with `must` that is a failure.
    """
    try:
        packages = json.loads(answer)["dependencies"]
    except ValueError:
        last = (errors.strip().splitlines() or ["pip-audit said nothing"])[-1]
        return int(must), f"audit: skipped, because PyPI cannot be asked: {last}"
    weak = [
        f"{package['name']} {package['version']}: {known['id']}, fixed in {', '.join(known['fix_versions']) or 'none'}"
        for package in packages
        for known in package.get("vulns", ())
    ]
    if weak:
        return 1, "\n".join((*weak, "audit: `make lock UPGRADE=--upgrade` takes newer versions"))
    unknown = [package["name"] for package in packages if "skip_reason" in package]
    if unknown:
        which = f"{len(unknown)} of {len(packages)} packages, {unknown[0]} among them"
        return int(must), f"audit: skipped, because the package index has no advisories for {which}"
    return 0, f"audit: no weakness is known of {len(packages)} packages"


def main() -> int:
    """Audit every lock file; return the exit code."""
    files = [word for file in LOCKS.values() for word in ("--requirement", str(file))]
    done = subprocess.run([*_COMMAND, "--format", "json", *files], capture_output=True, text=True, check=False)
    code, said = verdict(done.stdout, done.stderr, must="GITHUB_ACTIONS" in os.environ)
    sys.stdout.write(f"{said}\n")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
