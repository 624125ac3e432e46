# make run · make test · make check · make bench
# Needs Python 3.11 or later. Everything else goes into .venv; a second run installs nothing.

PORT ?= 8501
ADDRESS ?=
JOBS ?= auto

PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
STREAMLIT := $(BIN)/python -m streamlit run app.py
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHONUTF8 := 1

.DEFAULT_GOAL := help
.PHONY: help run test check format bench benchapp picture chromium clean

help:
	@echo "make run      start Espalier on http://localhost:$(PORT)  (PORT=8080; ADDRESS=localhost for this machine only)"
	@echo "make test     every test, also those in a real browser"
	@echo "make check    ruff and mypy"
	@echo "make format   ruff's formatting and safe repairs"
	@echo "make bench    growing beside scikit-learn  (QUICK=1 for the short cases)"
	@echo "make benchapp the app's own speed: a step on the server, in Chromium, a class of thirty"
	@echo "make picture  the README's picture"

run: .venv/.installed
	@echo "Espalier: http://$(or $(ADDRESS),localhost):$(PORT)   (stop with Ctrl-C)"
	@exec $(STREAMLIT) --server.port $(PORT) $(if $(ADDRESS),--server.address $(ADDRESS)) </dev/null

test: .venv/.installed-dev chromium
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile

check: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.installed-dev
	$(BIN)/python -m benchmarks.trees $(if $(QUICK),--quick)
	$(BIN)/python -m benchmarks.family $(if $(QUICK),--quick)
	$(BIN)/python -m benchmarks.pruning

benchapp: .venv/.installed-dev chromium
	$(BIN)/python -m benchmarks.server
	$(BIN)/python -m benchmarks.stepping
	$(BIN)/python -m benchmarks.classroom

picture: .venv/.installed-dev chromium
	$(BIN)/python -m tests.browser.picture

# Debian's packages where that is possible, else the Chromium that Playwright brings.
chromium: .venv/.installed-dev
	@$(BIN)/python -m tests.browser.chromium >/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			export DEBIAN_FRONTEND=noninteractive; \
			apt-get update -qq </dev/null && \
			apt-get install -y -qq --no-install-recommends chromium fonts-liberation </dev/null || true; \
		fi; \
		$(BIN)/python -m tests.browser.chromium >/dev/null || $(BIN)/python -m playwright install --with-deps chromium </dev/null || \
			$(BIN)/python -m playwright install chromium </dev/null; \
		$(BIN)/python -m tests.browser.chromium; }

# The virtual environment is made anew if it lacks pip; the stamps date the last installation.
$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv .venv || { rm -rf .venv; \
		apt-get update -qq </dev/null && apt-get install -y -qq python3-venv </dev/null && $(PYTHON) -m venv .venv; }

.venv/.installed: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --only-binary :all: -r requirements.txt </dev/null
	@touch $@

.venv/.installed-dev: requirements.txt requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --only-binary :all: -r requirements-dev.txt </dev/null
	@touch $@ .venv/.installed

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
