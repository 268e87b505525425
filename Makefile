# Everything runs in .venv, made on first use with uv if it is on the PATH, else with venv and pip.
# Stamps in .venv remember what is installed; a newer pyproject.toml or constraints.txt installs again.

PYTHON ?= python3
BIN := .venv/bin
CHECKED := .pytest_cache/checked
UV := $(shell command -v uv 2>/dev/null)
ifdef UV
INSTALL := $(UV) pip install --quiet --python $(BIN)/python
else
INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check
endif

# pyright and its node come as wheels; without this it would still look for updates on the network.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.DEFAULT_GOAL := help
.PHONY: help demo serve forecast results manifest docs test test-all lint types constraints clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

demo: .venv/.core ## set up .venv, reproduce one figure and judge it
	@echo "demo: run lyu2024/figure_1a and draw it in figures/"
	@$(BIN)/lazyrich run lyu2024/figure_1a --out figures

forecast: .venv/.core ## forecast four trainings, then train them and draw both
	@echo "forecast: examples/forecast.py, drawn in figures/forecast.png"
	@$(BIN)/python examples/forecast.py figures

serve: .venv/.web ## serve the page at http://127.0.0.1:8321
	@$(BIN)/lazyrich serve

# make results IDS="woodworth2020/lemma_5" WITH="--from-store"; python -m lazyrich.cli.results --help lists the options for WITH.
results: .venv/.core ## make the records in docs/results that are missing or stale, or those of IDS
	@$(BIN)/python -m lazyrich.cli.results $(IDS) $(WITH)

manifest: .venv/.core ## write papers/manifest.json, which `lazyrich list` reads
	@$(BIN)/python -m lazyrich.cli.manifest

# Warnings are errors, and so are broken links and files from outside in the built pages.
docs: .venv/.docs ## build the documentation into site/
	@echo "docs: mkdocs build, into site/index.html"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

test: lint types ## lint, check types and run the tests that are quick
	@echo "test: pytest in two processes, without what is marked slow"
	@$(BIN)/pytest -n 2 --dist worksteal -m "not slow"

# What goes wrong with a claim is for the tests to say, which read what the check printed and stored.
test-all: lint types ## lint, check types, check every claim at quick size and run all tests
	@echo "test-all: lazyrich check --all, then pytest in two processes"
	@rm -rf $(CHECKED) && mkdir -p $(CHECKED)
	@$(BIN)/lazyrich check --all --size quick --store $(CHECKED) --json > $(CHECKED)/all.json || true
	@LAZYRICH_CHECKED=$(CHECKED) $(BIN)/pytest -n 2 --dist worksteal

lint: .venv/.dev ## check the style of the code
	@echo "lint: ruff check, ruff format --check"
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet

types: .venv/.dev ## check types
	@echo "types: pyright"
	@$(BIN)/pyright --pythonpath $(BIN)/python

# All extras but bench, torch, cuda12 and cuda13 are pinned together, so that any of them installs beside any other.
constraints: .venv/.python ## pin the newest versions that fit pyproject.toml
	@echo "constraints: resolve the core and its extras for Python 3.11 and later"
	@$(if $(UV),,$(INSTALL) uv)
	@$(or $(UV),$(BIN)/uv) pip compile pyproject.toml $(addprefix --extra ,dev web cluster parquet docs) \
	    --universal --python-version 3.11 --no-python-downloads \
	    --upgrade --no-header --no-annotate --quiet --output-file constraints.txt > /dev/null

clean: ## remove .venv and every cache
	@echo "clean: remove .venv, caches and build outputs"
	@rm -rf .venv .pytest_cache .ruff_cache .hypothesis .benchmarks build dist site
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.python:
	@$(check_python)
	@echo "setup: make .venv with $$($(PYTHON) --version)"
	@$(if $(UV),$(UV) venv --quiet --clear --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" .venv,\
	    $(PYTHON) -m venv --clear .venv)
	@touch $@

.venv/.core: .venv/.python pyproject.toml constraints.txt
	@echo "setup: install lazyrich and what it needs (about 0.8 GB, a minute or two)"
	@$(INSTALL) -c constraints.txt -e .
	@touch $@

.venv/.dev: .venv/.core
	@echo "setup: install the development tools and the extras web and cluster"
	@$(INSTALL) -c constraints.txt -e '.[dev,web,cluster]'
	@touch $@

.venv/.web: .venv/.core
	@echo "setup: install what the page needs"
	@$(INSTALL) -c constraints.txt -e '.[web]'
	@touch $@

.venv/.docs: .venv/.core
	@echo "setup: install what the documentation needs"
	@$(INSTALL) -c constraints.txt -e '.[docs]'
	@touch $@

define check_python
command -v $(PYTHON) > /dev/null || { \
    echo "lazyrich needs Python 3.11 or newer; got no command named $(PYTHON)." \
         "Install Python, or name one: make PYTHON=/path/to/python3." >&2; exit 1; }; \
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
    echo "lazyrich needs Python 3.11 or newer; got $$($(PYTHON) --version 2>&1) from $(PYTHON)." \
         "Install a newer one, or name it: make PYTHON=python3.12." >&2; exit 1; }; \
$(if $(UV),true,$(PYTHON) -c 'import venv, ensurepip' 2> /dev/null) || { \
    echo "Setting up .venv needs the venv module or uv; got $(PYTHON) without venv and no uv on the PATH." \
         "Install one of them (on Debian: apt install python3-venv)." >&2; exit 1; }
endef
