"""What crosses the wire: pydantic models that only the faces import."""
