"""Repair: localization, ranking, pairs of edits."""
