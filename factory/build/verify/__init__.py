"""Re-checks a finished run from its files alone: files, schema, cuts, quotas, freeze, ledger, published tables."""

from factory.build.verify.run import verify_run

__all__ = ["verify_run"]
