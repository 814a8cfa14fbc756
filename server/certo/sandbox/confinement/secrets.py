"""Detection of files that look like secrets: runs see them empty, whatever code they run."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fnmatch import translate
from functools import cache
from pathlib import Path

_FILES = (
    *(".env", ".env.*", ".env-*", ".env_*", "*.env", ".envrc", ".flaskenv"),
    *(".secrets", ".secrets.*", "secrets.*", "*secrets.json", "*secrets.y*ml", "*secrets.toml", "*secrets.ini"),
    *("credentials", "credentials.*", "*credentials.json", "*credentials.y*ml", "*credentials.toml"),
    *("client_secret*.json", "*service?account*.json", "local.settings.json"),
    *("*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.gpg"),
    *("id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "id_xmss*"),
    *(".netrc", "_netrc", ".pypirc", ".npmrc", ".yarnrc", ".yarnrc.yml", "pip.conf", "pip.ini"),
    *(".pgpass", ".my.cnf", ".mylogin.cnf", ".git-credentials", ".dockercfg", ".dockerconfigjson", ".htpasswd"),
    *(".vault-token", ".vault_pass*", ".boto", ".s3cfg", ".terraformrc", "kubeconfig", "*.kubeconfig"),
    *("*.tfstate", "*.tfstate.backup", "*.tfvars", "*.tfvars.json"),
    *("keyring_pass.cfg", "*.keyring", "*.keychain", "*.keychain-db", ".token", "*.token", ".*_history"),
    *("*.secret", "*.secrets"),
)
"""Names of files that customarily hold keys, passwords or tokens."""

REPOSITORIES = frozenset({".git", ".hg", ".svn"})
_DIRECTORIES = REPOSITORIES | frozenset({".ssh", ".aws", ".gnupg", ".azure", ".kube", ".docker", ".gcloud"})
"""Directories hidden whole. A repository holds everything ever committed, and tokens in remote URLs."""

_NO_SECRETS = (
    *(".py", ".pyi", ".pyc", ".pyx", ".so", ".pyd", ".md", ".rst", ".html", ".pub"),
    *(".example", ".sample", ".template", ".tmpl", ".dist", ".schema"),
)
"""Suffixes of code, documentation and templates of files with secrets."""

_COPY = re.compile(r"(\.sw[a-p]|~|#|\.bak|\.orig|\.save|\.old)+$")
"""Suffixes of editors' backup copies."""

_SKIPPED = frozenset(
    {"node_modules", "__pycache__", "site-packages", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
)
_ENVIRONMENTS = frozenset({"pyvenv.cfg", "conda-meta"})
_INSTALLED = frozenset(
    {"bin", "etc", "include", "lib", "lib64", "share", "scripts", "conda-meta", "library", "pkgs", "ssl"}
)
"""Directories of an environment that hold what was installed; those beside them are the user's, as pip's `src`."""

_SMALL = range(64, 16384)
"""Maximum size in bytes of files whose content is examined: a key is no larger."""

_KEYS = (b"PRIVATE KEY-----", b'"private_key"')
_LOOKED_INTO = ("", ".json", ".txt")

_KEPT_FOR = 20.0
"""A scan's result stays valid for this multiple of the scan's duration."""

_found: dict[Path, tuple[float, tuple[str, ...]]] = {}


def hidden_in(root: Path, shown: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the paths in a project that look like secrets, relative to its `root`, except those in `shown`.

    A shown path includes everything below it, and `.` the whole project.
    """
    now = time.monotonic()
    known = _found.get(root)
    if known is None or known[0] < now:
        secrets = tuple(sorted(_secrets(str(root))))
        known = _found[root] = now + _KEPT_FOR * (time.monotonic() - now), secrets
    shown = tuple(shown)
    return tuple(path for path in known[1] if not any(is_within(path, place) for place in shown))


def layout(root: Path, hidden: Iterable[str]) -> frozenset[tuple[str, int]]:
    """Return name and inode of every sibling of a hidden path, and of the directories it is in.

    Such siblings are mounted one by one, so a file that replaces one of them would not be visible. Files that editors
    and tools put beside the user's own do not count.
    """
    places = {str(parent) for path in hidden for parent in Path(path).parents}
    found: set[tuple[str, int]] = set()
    for place in places:
        with suppress(OSError), os.scandir(root / place) as entries:
            found.update(
                (os.path.join(place, entry.name), entry.inode())
                for entry in entries
                if not entry.name.startswith((".", "#", "__pycache__")) and not entry.name.endswith("~")
            )
    return frozenset(found)


def is_secret(name: str) -> bool:
    """True if a file of this name holds secrets by custom, or is the copy of such a file; code and examples do not."""
    return is_named_like_secret(name) and not _COPY.sub("", name.lower().strip()).endswith(_NO_SECRETS)


def is_named_like_secret(name: str) -> bool:
    """True if a file is named as those with secrets are, even if it is code: runs need that, and nobody else."""
    lowered = name.lower().strip()
    core = _COPY.sub("", lowered)
    # Before the name of a copy stand more dots and number signs than before that of the file.
    names = {lowered, core, core[1:], core[2:]} if core[:1] in ".#" else {lowered, core}
    return any(_names().match(each) for each in names)


@cache
def _names() -> re.Pattern[str]:
    """Return one pattern for all names, which is tried on every file of a project."""
    return re.compile("|".join(map(translate, _FILES)))


def looks_secret(root: Path, path: str) -> bool:
    """True if a file of a project looks like a secret: by its name, a directory above it, or a key in it."""
    *places, name = path.split("/")
    return is_secret(name) or any(place.lower() in _DIRECTORIES for place in places) or _holds_a_key(root / path)


def is_within(path: str, place: str) -> bool:
    """True if a path relative to the root is `place` or below it."""
    return place == "." or path == place or path.startswith(place + "/")


def _secrets(root: str) -> set[str]:
    found: set[str] = set()
    linked: set[int] = set()
    for entry, path in _entries(root):
        if not _keeps_a_secret(entry):
            continue
        found.update(_spelled(root, path, entry))
        about = _stat(entry)
        if about is not None and about.st_nlink > 1 and not entry.is_dir(follow_symlinks=False):
            linked.add(about.st_ino)
    if linked:
        # The same file under other names.
        found.update(path for entry, path in _entries(root) if entry.inode() in linked)
    return found


def _spelled(root: str, path: str, entry: os.DirEntry[str]) -> Iterator[str]:
    """Yield the path and, for a link into the project, its target."""
    yield path
    if entry.is_symlink():
        real = os.path.relpath(os.path.realpath(entry.path), os.path.realpath(root))
        if real != os.curdir and not real.startswith(os.pardir):
            yield real.replace(os.sep, "/")


def _keeps_a_secret(entry: os.DirEntry[str]) -> bool:
    try:
        if entry.is_dir(follow_symlinks=False):
            return entry.name.lower() in _DIRECTORIES
        if is_secret(entry.name):
            # A directory that a link of such a name leads to is as likely a Python environment.
            return not entry.is_dir()
        return _holds_a_key(Path(entry.path))
    except OSError:
        return False


def _holds_a_key(file: Path) -> bool:
    try:
        if file.suffix.lower() not in _LOOKED_INTO or not file.is_file() or file.stat().st_size not in _SMALL:
            return False
        with file.open("rb") as opened:
            text = opened.read(_SMALL.stop)
    except OSError:
        return False
    return any(key in text for key in _KEYS)


def _entries(root: str) -> Iterator[tuple[os.DirEntry[str], str]]:
    """Yield everything below the root with its path, except inside hidden directories and installed packages."""
    waiting = [""]
    while waiting:
        place = waiting.pop()
        try:
            with os.scandir(os.path.join(root, place)) as scanned:
                entries = list(scanned)
        except OSError:
            continue
        is_environment = bool(place) and any(entry.name in _ENVIRONMENTS for entry in entries)
        for entry in entries:
            path = f"{place}/{entry.name}" if place else entry.name
            yield entry, path
            if is_environment and entry.name.lower() in _INSTALLED:
                continue
            if entry.is_dir(follow_symlinks=False) and entry.name.lower() not in _SKIPPED | _DIRECTORIES:
                waiting.append(path)


def _stat(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except OSError:
        return None
