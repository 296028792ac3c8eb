"""The programs behind the commands of the Makefile that belong to no room."""
