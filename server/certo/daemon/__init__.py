"""The process: loop, transport, lifecycle. pygls lives here and in features only."""
