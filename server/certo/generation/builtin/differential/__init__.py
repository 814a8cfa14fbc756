"""Finding a call that tells two candidates apart."""
