"""Live searches: from a request to an accepted edit, the parts they are made of, and the knowledge they leave."""
