"""Runs that start from prepared processes: zygote and pool."""
