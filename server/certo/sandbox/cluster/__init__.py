"""Runs on dask workers."""
