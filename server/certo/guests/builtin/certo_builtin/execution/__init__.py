"""Running thousands of candidates: checks, forks, fuel, hot swap."""
