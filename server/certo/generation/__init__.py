"""Who proposes: generators of candidates."""
