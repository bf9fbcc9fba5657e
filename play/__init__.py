"""People and programs at the table."""
