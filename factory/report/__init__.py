"""The corpus report: a finished run as pages to read, see in numbers and listen to."""
