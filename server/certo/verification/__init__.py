"""Verifiers, which judge candidates, and the pipeline that asks them, cheap ones first."""
