"""The process: loop, transport, lifecycle. pygls is used here and in features only."""
