"""The model engine: every role by a language model, behind the same views, cut, ledger and freeze."""
