PYTHON ?= python
GAME ?=
DECISIONS ?= 10000000

.DEFAULT_GOAL := help
.PHONY: help install hooks test lint format types ci lowest bench train fuzz edited mutate clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: ## Install the package, editable, with the tested versions of everything a developer needs
	$(PYTHON) -m pip install -c constraints.txt -e ".[dev]"

hooks: ## Run ruff at every commit (pre-commit)
	$(PYTHON) -m pre_commit install

test: ## Run the tests
	$(PYTHON) -m pytest

lint: ## Report what ruff dislikes
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .

format: ## Format the code and fix what ruff can fix
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

types: ## Build the wheel, install it in a clean environment, check its types there and play a few games
	.ci/run wheel

lowest: ## Play a few games with the lowest versions of the base requirements
	.ci/run lowest

ci: ## Everything that a change must pass, in clean environments
	.ci/run

bench: ## Measure decisions, games and clones per second, beside the peers that are installed
	$(PYTHON) benchmarks/steps.py

train: ## Train an agent on Âge de Bronze with the published configuration
	$(PYTHON) train.py

fuzz: ## Play games of every habit and check every invariant: make fuzz GAME=age_de_bronze DECISIONS=10000000
	$(PYTHON) -m agezoo.envs.engine.conformance --decisions $(DECISIONS) $(GAME)

edited: ## Edit positions and play on from what is accepted: make edited GAME=age_de_bronze DECISIONS=1000000
	$(PYTHON) -m agezoo.envs.engine.conformance --edited --decisions $(DECISIONS) $(GAME)

mutate: ## Edit the sources at random places and print what no test notices
	$(PYTHON) tools/mutate.py

clean: ## Remove build leftovers and tool caches
	rm -rf build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
