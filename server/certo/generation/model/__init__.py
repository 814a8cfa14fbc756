"""Candidates written by a language model: what it is asked, what its answer means, and how a failure is answered."""
