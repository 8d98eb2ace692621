"""Published files and ledger → flow report: what reached whom, proved again."""
