"""What comes from others: the locked packages, their licences, and known weaknesses."""
