"""What outlives the process: the journal of every search, in one file for each project."""
