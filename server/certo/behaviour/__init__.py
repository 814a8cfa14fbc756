"""Behaviour of a function: its calls are observed and generated, made in several versions, compared and minimised."""
