# `make` lists the targets. Needs a Python from 3.11; everything else goes into .venv.
SHELL := /bin/sh
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
# Two weeks of age: mirrors lag, and a broken or withdrawn release shows within days.
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --no-header --no-annotate --upgrade --exclude-newer "14 days"

.PHONY: help venv dev demo docs site test test-all lint unit browser slice rest bench bench-tuner bench-tuner-outside bench-diagnosis bench-scenarios gym lock clean
.DEFAULT_GOAL := help
SIDE ?= open
# Many tests start `advisor` as a process of its own: without byte code each compiles what it imports once more.
unexport PYTHONDONTWRITEBYTECODE

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' Makefile

venv: .venv/.run ## make .venv with what `advisor` needs to run

demo: .venv/.run ## the whole story in twelve minutes: a file, real servers with its problem, why, tune, a report
	@$(BIN)/python scripts/demo.py

test: lint unit browser slice ## lint, unit and browser tests, one slice on real servers through every topology (8 minutes)

test-all: test rest ## everything CI runs (half an hour)

lint: .venv/.dev ## ruff, mypy, the import layers, spelling
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports > .venv/.imports 2>&1 || { cat .venv/.imports; exit 1; }
	@$(BIN)/codespell advisor rules docs tests examples scripts benchmarks *.md

unit: .venv/.dev ## the tests without browser and servers
	@$(BIN)/pytest --ignore tests/servers --ignore tests/browser

browser: .venv/.dev ## the tests of HTML reports in a browser; gets one where it may
	@scripts/get_browser.sh
	@$(BIN)/pytest -n 0 -m browser tests/browser

slice: .venv/.dev ## every topology and command once on real servers; gets those this machine lacks
	@$(BIN)/python scripts/get_servers.py
	@$(BIN)/pytest -n 0 -m slice --durations 5 tests/servers

rest: .venv/.dev ## what `make test` leaves out: quality gates, and every command in depth on real servers
	@$(BIN)/pytest -m 'gate or hypothesis' --hypothesis-profile thorough --ignore tests/servers --ignore tests/browser
	@$(BIN)/python scripts/get_servers.py
	@$(BIN)/pytest -n 0 -m 'servers and not slice' --durations 10 tests/servers

site: .venv/.dev ## write all pages, with one for each rule and option, as a searchable site into site/
	@$(BIN)/python scripts/build_site.py site

docs: .venv/.dev ## write what is generated: rule pages, the matrix of causes, JSON Schemas
	@$(BIN)/python scripts/build_rule_pages.py
	@$(BIN)/python scripts/build_cause_matrix.py
	@$(BIN)/python scripts/build_schemas.py

bench: .venv/.run ## how long `advisor check` takes, against a bare Python
	@$(BIN)/python benchmarks/check_speed.py

bench-tuner: .venv/.dev ## how the tuner compares with other ways to tune, on surfaces (most of an hour)
	@OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks.tuner --keep .venv/.bench-tuner.jsonl

bench-tuner-outside: .venv/.dev ## the same on tuning histories of others: DATA=FOLDER, see benchmarks/tuner/NOTES.md (ten minutes)
	@OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks.tuner.outside --data "$(DATA)" --keep .venv/.bench-tuner-outside.jsonl

bench-diagnosis: .venv/.dev ## how often `advisor why` is right: kept plays and reported cases, open beside locked (two minutes)
	@$(BIN)/python -m benchmarks.diagnosis.gym --side both --offline
	@$(BIN)/python -m benchmarks.diagnosis.cases $(addprefix benchmarks/diagnosis/reported/,open locked locked/third-lot locked/fourth-lot)
	@test ! -d ../shared/cases || $(BIN)/python -m benchmarks.diagnosis.cases

bench-scenarios: .venv/.dev ## how often it is right on bottlenecks made by faults of the lab (half an hour)
	@$(BIN)/python -m benchmarks.diagnosis --keep .venv/.bench-diagnosis

gym: .venv/.dev ## play the mechanisms that have no kept result (an hour; SIDE=locked: totals only)
	@$(BIN)/python -m benchmarks.diagnosis.gym --side $(SIDE) $(if $(filter open,$(SIDE)),--names)

lock: ## refresh the lock files (needs uv)
	@command -v uv >/dev/null || { echo "make lock needs uv: python3 -m pip install uv"; exit 1; }
	@printf 'hatchling>=1.27\n' | $(LOCK) pyproject.toml - --extra tune --extra binlog --extra metrics --output-file requirements.lock
	@printf 'hatchling>=1.27\n' | $(LOCK) pyproject.toml - --constraint requirements.lock --output-file requirements-check.lock
	@$(LOCK) pyproject.toml --extra dev --extra tune --output-file requirements-dev.lock

clean: ## remove .venv, the site and the caches
	@rm -rf .venv site .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

dev: .venv/.dev

# The stamps: pip runs again only when a lock or pyproject.toml changed. hatchling stands in requirements.lock
# because the checkout itself is installed without build isolation, so nothing unpinned is ever fetched.
.venv/bin/python:
	@echo "making .venv"
	@scripts/make_venv.sh .venv

.venv/.run: requirements.lock pyproject.toml | .venv/bin/python
	@echo "installing from requirements.lock"
	@$(PIP) --no-compile --require-hashes -r requirements.lock
	@$(BIN)/python -m compileall -q -x /tests/ .venv/lib || : # without the tests of packages, half of what pip compiles
	@$(PIP) --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q advisor
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/advisor check examples/group-replication-member.cnf > /dev/null || true
	@touch $@

.venv/.dev: requirements-dev.lock .venv/.run
	@echo "installing from requirements-dev.lock"
	@$(PIP) --no-compile --require-hashes -r requirements-dev.lock
	@touch $@
