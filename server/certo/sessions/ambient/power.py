"""Power supply of the machine, as Linux tells it."""

from __future__ import annotations

from pathlib import Path

SUPPLIES = Path("/sys/class/power_supply")
"""The folder in which the kernel describes each supply."""


def is_on_battery(supplies: Path = SUPPLIES) -> bool:
    """True if a battery of the machine is being discharged; False where the system does not tell it.

    A mouse or a keyboard has a battery too, whose scope is `Device`.
    """
    for supply in supplies.glob("*"):
        is_battery = _said(supply, "type") == "Battery" and _said(supply, "scope") != "Device"
        if is_battery and _said(supply, "status") == "Discharging":
            return True
    return False


def _said(supply: Path, about: str) -> str:
    try:
        return (supply / about).read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
