"""Telling living processes from dead ones, seen with real processes."""

from __future__ import annotations

import subprocess
import sys

from certo.storage.process_identity import is_over, own_life

_SAY = "from certo.storage.process_identity import own_life; print(own_life(), flush=True); input()"


def test_an_ended_process_is_over() -> None:
    process = subprocess.Popen([sys.executable, "-c", _SAY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    life = process.stdout.readline().strip()
    assert life != own_life()
    assert not is_over(life)
    process.kill()
    process.communicate()
    assert is_over(life)


def test_this_process_lives() -> None:
    assert not is_over(own_life())


def test_reused_process_numbers_are_another_life() -> None:
    node, boot, pid, start = own_life().split("/")
    assert is_over(f"{node}/{boot}/{pid}/{int(start) - 1}")
    assert is_over(f"{node}/an-earlier-boot/{pid}/{start}")


def test_of_another_machine_nothing_is_known() -> None:
    _, boot, pid, start = own_life().split("/")
    assert not is_over(f"elsewhere/{boot}/{pid}/1{start}")
