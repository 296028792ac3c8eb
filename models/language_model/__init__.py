"""SmolLM2, a language model: its file and tokenizer, and its forward pass as a script for the page."""

from pathlib import Path

STATIC = Path(__file__).parent / "static"
