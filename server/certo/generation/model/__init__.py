"""Generator that asks language models: prompts, extraction of code from answers, and feedback."""
