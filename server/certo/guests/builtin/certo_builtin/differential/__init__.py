"""Where two candidates differ: calls that the tests make, and what each candidate makes of a call."""
