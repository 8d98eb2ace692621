"""Run → published files: Parquet tables, the list of items, the dataset card; and back."""
