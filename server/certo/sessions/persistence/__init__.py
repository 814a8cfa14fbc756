"""Everything a search writes for later: requests, verdicts, stored candidates, knowledge."""
