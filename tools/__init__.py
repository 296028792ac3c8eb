"""Programs for the Makefile's commands that belong to no room."""
