"""Candidates that pass by a forgery where the tests are; what counts is what they do in a process apart from them."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent

from hostile.row import FORGED, Row

_APART = """
import gc, json, os, struct, sys, time

servers = [each for each in gc.get_objects() if type(each).__name__ == "Server"]

def say(bytes_):
    servers[0]._frames._peer.sendall(bytes_)

def frame(text):
    say(struct.pack("!I", len(text)) + text)

def double(n):
    return n
"""
"""`servers` is empty where the tests are; elsewhere its one element is what speaks with them."""


@dataclass(frozen=True, kw_only=True)
class Lying(Row):
    """One such candidate: `attack` is a part of its text, in both processes, and may redefine `double`."""

    whole: bool = True

    def text(self, names: str) -> str:
        """The forged pass, and what is done apart from the tests."""
        return FORGED + names + _APART + dedent(self.attack)
