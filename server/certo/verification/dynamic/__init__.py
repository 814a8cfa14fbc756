"""Verifiers that run tests: baseline, rerun, flakiness, forgery, evidence, fault localization."""
