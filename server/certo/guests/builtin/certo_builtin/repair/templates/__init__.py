"""Repair templates: patterns of bugs, and the edits that would fix them."""
