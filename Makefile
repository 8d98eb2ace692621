# One command each. Every target goes through `setup`, which leaves a ready .venv with .venv/bin/factory.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help setup corpus demo test lint bench

help: ## show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

setup: $(READY) ## set up .venv from the lock file

$(READY): requirements.lock requirements-no-deps.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@echo "setting up .venv (a minute or two, once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements-no-deps.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $@

corpus: setup ## build the reference corpus into outputs/ihbench-45
	@$(BIN)/factory build ihbench-45 --out outputs/ihbench-45

demo: setup ## build a corpus of six calls into outputs/demo
	@$(BIN)/factory build demo --out outputs/demo

test: setup ## run the whole test suite
	@$(BIN)/pytest -n 2 --dist worksteal

lint: setup ## style, types, and the direction of imports
	@$(BIN)/ruff check factory flows tests
	@$(BIN)/ruff format --check factory flows tests
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: setup ## measure speed and memory against their bars
	@$(BIN)/python -m tests.bench.bench
