"""A program that prints one password of the system's keyring: `keyring_reader.py SERVICE NAME`."""

from __future__ import annotations

import sys

import keyring
from keyring.errors import KeyringError


def main(service: str, name: str) -> int:
    """Print the password if there is one; return the exit code."""
    try:
        password = keyring.get_password(service, name)
    except KeyringError:
        return 1
    sys.stdout.write(password or "")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
