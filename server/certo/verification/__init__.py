"""Who judges: verifiers, and the pipeline that asks them cheap ones first."""
