# Everything happens in .ci/bootstrap.py, which needs nothing but Python.
# ARGS are handed on:  make run ARGS="--model model.gguf"    make test ARGS="-k tokens"
PYTHON ?= $(if $(wildcard .venv/bin/python),.venv/bin/python,python3)
BOOTSTRAP = @$(PYTHON) .ci/bootstrap.py

.PHONY: run torch test check bench lock translations clean

run: ## open the window (TORCH=1 installs torch as well)
	$(BOOTSTRAP) run $(if $(filter-out 0,$(TORCH)),--torch) -- $(ARGS)

torch: ## install torch, and nothing else
	$(BOOTSTRAP) install-torch

test: ## run the tests
	$(BOOTSTRAP) test -- $(ARGS)

check: ## formatting, types, imports, spelling, lock files
	$(BOOTSTRAP) check

bench: ## measure speed, on a quiet machine (ARGS="loop" runs one benchmark)
	$(BOOTSTRAP) bench -- $(ARGS)

lock: ## renew the lock files from pyproject.toml
	$(BOOTSTRAP) lock

translations: ## collect what is to be translated, and compile what is translated
	$(BOOTSTRAP) translations

clean: ## remove the environment and everything the tools made
	rm -rf .venv .coverage .coverage.* htmlcov .mypy_cache .ruff_cache .pytest_cache \
	  .import_linter_cache .hypothesis
	find app engine ui tests .ci -name __pycache__ -type d -prune -exec rm -rf {} +
