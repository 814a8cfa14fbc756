"""certo for agents: its tools, resources and prompts over the Model Context Protocol."""
