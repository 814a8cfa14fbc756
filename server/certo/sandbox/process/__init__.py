"""One run as a process: start, output, scratch space, slots, end."""
