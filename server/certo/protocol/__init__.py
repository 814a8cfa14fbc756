"""The messages of the protocol, as pydantic models that only the outer rooms import."""
