"""The steps of a build: what the Prefect flow and the inline engine share, and what is said about a run."""
