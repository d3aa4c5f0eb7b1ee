# Everything a newcomer types: `make demo` and `make test`. What each target needs is installed once into .venv, locked by
# constraints.txt; stamp files in .venv remember it, so that a second call starts at once.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt
# --no-compile: Python compiles what is used when it is first used; compiling every library beforehand takes 120 MB.
PYTEST_FLAGS ?=
SUREFOOT_FLAGS ?=

.PHONY: demo test check claims bench lint types imports style docs clean help

help:
	@echo "make demo    install the core and run the demo        (SUREFOOT_FLAGS='--push 200' passes flags on)"
	@echo "make test    install the development tools and test   (PYTEST_FLAGS='-k cli' passes flags on)"
	@echo "make check   test, lint, types, import contracts, sizes, README code"
	@echo "make claims  the slow tests"
	@echo "make bench   measure speed and write results/bench.json"

demo: .venv/.core
	$(BIN)/surefoot demo $(SUREFOOT_FLAGS)

test: .venv/.dev
	$(BIN)/python -m pytest $(PYTEST_FLAGS)

# Sizes and README code are tests (tests/architecture, tests/docs), so `test` covers them.
check: lint types imports test

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.dev
	$(BIN)/pyright

imports: .venv/.dev
	$(BIN)/lint-imports

style: .venv/.dev
	$(BIN)/python -m pytest tests/architecture $(PYTEST_FLAGS)

docs: .venv/.dev
	$(BIN)/python -m pytest tests/docs $(PYTEST_FLAGS)

claims: .venv/.dev
	$(BIN)/python -m pytest -m slow $(PYTEST_FLAGS)

bench: .venv/.core
	$(BIN)/python benchmarks/bench.py

clean:
	rm -rf .venv build dist runs .pytest_cache .ruff_cache .import_linter_cache

.venv/.made:
	@test -n "$(PYTHON)" || { echo "surefoot needs Python 3.11 or newer: none found as python3; name one with make PYTHON=..."; exit 1; }
	$(PYTHON) -m venv .venv || { echo "no virtual environment could be made: on Debian, apt-get install python3-venv"; exit 1; }
	@touch $@

.venv/.core: .venv/.made pyproject.toml constraints.txt
	$(PIP) --editable .
	@touch $@

.venv/.dev: .venv/.made pyproject.toml constraints.txt
	$(PIP) --editable '.[dev]'
	@touch .venv/.core $@
