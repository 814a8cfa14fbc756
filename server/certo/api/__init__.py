"""The Python face: strategies, models and specifications in; verified code, typed answers and evidence out."""

import logging

# A library prints nothing of its own; a program that wants the log adds a handler.
logging.getLogger("certo").addHandler(logging.NullHandler())
