"""Texts for the user, as plain data: phrases, status lines, score card, rivals, commit message."""
