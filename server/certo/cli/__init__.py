"""The terminal interface: one file per sub-command."""
