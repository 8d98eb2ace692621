"""The flow report, and other results of an audit, as pages."""
