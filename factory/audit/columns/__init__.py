"""Calls by anybody, in the reference's columns: the rules of its files, decided from the columns alone."""
