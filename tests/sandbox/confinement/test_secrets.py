"""Secrets in a project, told by name or content."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from certo.sandbox.confinement import secrets
from certo.sandbox.confinement.secrets import hidden_in, is_secret, layout
from support.projects.projects import write_project

KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\n" + "x" * 100


@pytest.fixture(autouse=True)
def _look_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_KEPT_FOR", 0.0)


@pytest.mark.parametrize(
    "name",
    [
        *(".env", ".env.local", ".ENV", "prod.env", ".envrc", "..env.swp", ".env~", "#.env#", ".#.env", ".env.swp"),
        *("server.pem", "server.key", "id_rsa", "id_ed25519", "id_rsa_work", ".id_rsa.swp", ".netrc", ".pypirc"),
        *(".npmrc", "credentials", "credentials.json", "my-service-account.json", "secrets.toml", "db.kdbx"),
        *("terraform.tfstate", "prod.tfvars", "keyring_pass.cfg", ".python_history", ".env\n", "sécrets.env"),
        *("db.secret", "prod.secrets", "CREDENTIALS.json"),
    ],
)
def test_a_name_of_a_secret(name: str) -> None:
    assert is_secret(name)


@pytest.mark.parametrize(
    "name",
    [
        *(".env.example", ".env.sample", "env", "environment.yml", "environ.py", "secrets.py", "credentials.py"),
        *("id_rsa.pub", "id.py", "identity.txt", "keys.py", "keyboard.json", "test_secrets.py", "README.md"),
        *("pyproject.toml", ".python-version", "tokenizer.json", "setup.cfg", "credentials.md", "_version.py", "a.so"),
    ],
)
def test_a_name_of_no_secret(name: str) -> None:
    assert not is_secret(name)


def test_secrets_are_recognised_by_content(tmp_path: Path) -> None:
    files = {"deploy": KEY, "a/account.json": '{"type": "service_account", "private_key": "%s"}' % ("x" * 99)}
    root = write_project(tmp_path, {**files, "a/data.json": '{"key": "value"}' * 9, "Makefile": "all:\n" * 50})
    assert hidden_in(root) == ("a/account.json", "deploy")


def test_repositories_and_key_folders_are_hidden(tmp_path: Path) -> None:
    """What is installed in environments is not searched."""
    files = {".git/config": "", "sub/.git/HEAD": "", ".aws/config": "", "deep/er/.env": "", ".venv/pyvenv.cfg": ""}
    files |= {".venv/lib/cacert.pem": "", "node_modules/a/.npmrc": "", "lib/site-packages/certifi/cacert.pem": ""}
    assert hidden_in(write_project(tmp_path, files)) == (".aws", ".git", "deep/er/.env", "sub/.git")


def test_secrets_beside_installed_packages_are_hidden(tmp_path: Path) -> None:
    files = {"venv/pyvenv.cfg": "", "venv/.env": "", "venv/src/pack/.git/config": "", "venv/src/pack/.env": ""}
    files |= {"venv/lib/.env": "", "venv/bin/.env": ""}
    assert hidden_in(write_project(tmp_path, files)) == ("venv/.env", "venv/src/pack/.env", "venv/src/pack/.git")


def test_links_to_secrets_are_hidden_too(tmp_path: Path) -> None:
    root = write_project(tmp_path, {"a/.env": "KEY=1", "b/plain": "", "real/settings": "KEY=2"})
    os.link(root / "a" / ".env", root / "b" / "hard")
    (root / ".env").symlink_to("real/settings")
    (root / "prod.env").symlink_to("/etc/passwd")
    assert hidden_in(root) == (".env", "a/.env", "b/hard", "prod.env", "real/settings")


def test_what_is_shown_is_not_hidden(tmp_path: Path) -> None:
    root = write_project(tmp_path, {".env": "", "a/.env": "", "a/b.key": "", ".git/config": ""})
    assert hidden_in(root, (".env",)) == (".git", "a/.env", "a/b.key")
    assert hidden_in(root, ("a", ".git")) == (".env",)
    assert hidden_in(root, (".",)) == ()


def test_replaced_neighbours_of_secrets_are_noticed(tmp_path: Path) -> None:
    root = write_project(tmp_path, {"a/.env": "", "a/mod.py": "", "a/b/c.py": "", "other.py": ""})
    before = layout(root, hidden_in(root))
    for harmless in ("a/.mod.py.swp", "a/mod.py~"):
        (root / harmless).write_text("")
    (root / "a" / "b" / "c.py").write_text("changed")
    assert layout(root, hidden_in(root)) == before
    (root / "new").write_text("")
    os.replace(root / "new", root / "a" / "mod.py")
    assert layout(root, hidden_in(root)) != before
