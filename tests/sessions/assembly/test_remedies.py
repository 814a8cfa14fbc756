"""What to do about a sandbox that could be better, on machines of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from certo.sessions.assembly.remedies import Machine, sandbox_remedy

ALONE = "Landlock, seccomp: no network"
NAMESPACES_ONLY = "bubblewrap, seccomp: no network"
CLONE = "proc/sys/kernel/unprivileged_userns_clone"
MOST = "proc/sys/user/max_user_namespaces"
RESTRICTED = "proc/sys/kernel/apparmor_restrict_unprivileged_userns"
MODULES = "sys/kernel/security/lsm"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    return programs


def machine(tmp_path: Path, files: dict[str, str], release: str = "6.8.0-31-generic") -> Machine:
    """A machine with these files, below a root of its own."""
    for name, text in files.items():
        path = tmp_path / "machine" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Machine(root=tmp_path / "machine", release=release, processor="x86_64", platform="linux")


@pytest.mark.parametrize(
    ("program", "command"),
    [
        ("apt-get", "sudo apt-get install bubblewrap"),
        ("dnf", "sudo dnf install bubblewrap"),
        ("pacman", "sudo pacman -S bubblewrap"),
        ("something", ""),
    ],
)
def test_bubblewrap_remedy_uses_the_package_manager(programs: Path, tmp_path: Path, program: str, command: str) -> None:
    (programs / program).touch(mode=0o755)
    assert sandbox_remedy(ALONE, machine(tmp_path, {RESTRICTED: "1\n"})) == command


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({}, ""),
        ({CLONE: "1\n", RESTRICTED: "0\n", MOST: "63000\n"}, ""),
        ({CLONE: "0\n"}, "sudo sysctl kernel.unprivileged_userns_clone=1"),
        ({MOST: "0\n"}, "sudo sysctl user.max_user_namespaces=15000"),
        ({CLONE: "0\n", MOST: "0\n"}, "sudo sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000"),
    ],
)
def test_what_the_kernel_forbids_is_allowed(
    programs: Path, tmp_path: Path, files: dict[str, str], command: str
) -> None:
    (programs / "bwrap").touch(mode=0o755)
    assert sandbox_remedy(ALONE, machine(tmp_path, files)) == command


def test_apparmor_restriction_gets_a_profile(programs: Path, tmp_path: Path) -> None:
    (programs / "bwrap").touch(mode=0o755)
    assert sandbox_remedy(ALONE, machine(tmp_path, {RESTRICTED: "1\n"})) == (
        f"printf 'abi <abi/4.0>,\\nprofile bwrap {programs}/bwrap flags=(unconfined) {{\\n  userns,\\n}}\\n' "
        "| sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap"
    )


@pytest.mark.parametrize("mark", [".dockerenv", "run/.containerenv"])
def test_a_container_without_namespaces_is_started_otherwise(programs: Path, tmp_path: Path, mark: str) -> None:
    (programs / "bwrap").touch(mode=0o755)
    assert "--security-opt seccomp=unconfined" in sandbox_remedy(ALONE, machine(tmp_path, {mark: ""}))


@pytest.mark.parametrize(
    ("release", "files", "remedy"),
    [
        ("5.10.0-28-amd64", {}, "update the kernel: Landlock came with Linux 5.13, and this is 5.10.0-28-amd64"),
        (
            "6.8.0",
            {MODULES: "capability,yama,apparmor"},
            "boot the kernel with the parameter lsm=landlock,capability,yama,apparmor",
        ),
        ("6.8.0", {MODULES: "capability,landlock,yama"}, ""),
        (
            "6.8.0",
            {MODULES: "capability,landlock,yama", ".dockerenv": ""},
            "update the container's engine: older ones do not let system calls through that they do not know",
        ),
    ],
)
def test_missing_landlock_says_why(tmp_path: Path, release: str, files: dict[str, str], remedy: str) -> None:
    assert sandbox_remedy(NAMESPACES_ONLY, machine(tmp_path, files, release)) == remedy


def test_seccomp_remedy_comes_first(programs: Path) -> None:
    (programs / "apt-get").touch(mode=0o755)
    remedy = sandbox_remedy("", Machine(release="6.8.0", processor="riscv64", platform="linux"))
    assert remedy == "use a machine with one of the processors certo has a filter for: x86_64 or aarch64"


def test_no_linux_remedies_elsewhere() -> None:
    assert sandbox_remedy("", Machine(platform="darwin")) == ""
