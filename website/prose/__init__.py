"""Rules for the book's text; authors can check pages against them in seconds."""
