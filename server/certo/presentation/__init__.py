"""Everything a user reads, as plain data and text: phrases, status lines, score card, rivals, commit message."""
