"""The Python face: strategies, models and specifications in; verified code, typed answers and evidence out."""
