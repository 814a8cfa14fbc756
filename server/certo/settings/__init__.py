"""Composes the options the rooms declare; reads them once, at the edge."""
