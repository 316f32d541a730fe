# Two commands matter: `make play` opens the table, `make test` runs the checks and the suite.
# They need Python 3.11 or newer, make and git; tools/setup.py brings the rest into .venv.

# Compiled bytecode makes every start of Python several times faster; the suite starts hundreds.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
BIN := .venv/bin
# Not empty if the set-up was cut off, or the clone or its Python has moved since (tools/setup.py).
WORN := $(shell [ -e .venv ] || exit; [ ! -e .venv/unfinished ] && [ -x .venv/bin/python ] \
	&& [ "$$(pwd -P; readlink -f .venv/bin/python)" = "$$(cat .venv/place 2>/dev/null)" ] || echo worn)
TARGET = $(if $(FOLDER),"$(FOLDER)")  # a folder may have a space in its name

.PHONY: play test compile quick ci nightly storm mutants setup setup-ray setup-learn setup-mcp setup-site \
	check bench site worn \
	docs golden pictures messages languages locked migration clean

play: .venv/ready-play
	@exec env DIABLERIE_MAKE=1 $(BIN)/diablerie serve $(ARGS)

test: .venv/ready-test
	@$(MAKE) --no-print-directory --output-sync -j2 check compile
	$(BIN)/pytest -n auto --dist loadgroup $(ARGS)

compile: .venv/ready-test
	@$(BIN)/diablerie compile

quick: .venv/ready-test
	$(BIN)/ruff check .
	$(BIN)/python -m tools.quick $(ROOM:%=tests/%) $(ARGS)

ci: .venv/ready-test
	$(BIN)/pytest -n auto --dist loadgroup -m 'ci and not nightly' $(ARGS)

nightly: compile
	$(BIN)/pytest -n auto --dist loadgroup -m nightly $(ARGS)

storm: .venv/ready-test
	$(BIN)/python -m tests.storm $(or $(SEED),0) $(if $(SEEDS),--seeds $(SEEDS)) $(if $(SIZE),--size $(SIZE)) \
	  $(if $(WITHOUT),--without "$(WITHOUT)")

mutants: .venv/ready-mutants compile
	$(BIN)/python -m tools.mutants $(or $(SEED),$(shell date +%s)) $(ARGS)

check: .venv/ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	cd examples/coasters && PYTHONPATH=src ../../$(BIN)/lint-imports

bench: .venv/ready-bench
	$(BIN)/python -m bench $(ARGS)

site: .venv/ready-site
	$(BIN)/diablerie site "$(or $(FOLDER),site)" $(if $(ADDRESS),--address "$(ADDRESS)") $(if $(MEET),--meet "$(MEET)")

setup: .venv/ready-test

setup-ray: .venv/ready-ray

setup-learn: .venv/ready-learn

setup-mcp: .venv/ready-mcp

setup-site: .venv/ready-site

docs: .venv/ready-docs
	$(BIN)/python -m tools.docs $(TARGET)

golden: .venv/ready-test
	$(if $(GAME),$(BIN)/python tools/golden.py $(GAME) $(TARGET))
	GOLDEN=write $(BIN)/pytest -q -n 0 tests/test_golden.py tests/web/test_walk.py tests/table/test_layout.py
	$(BIN)/python -m tests.envs.versions

pictures: .venv/ready-test
	$(BIN)/python tools/pictures.py $(TARGET)
	$(if $(FOLDER),,$(BIN)/python -m tools.reel)

messages: .venv/ready-test
	$(BIN)/python -m tools.messages "$(or $(PACKAGE),src/diablerie)"

languages: .venv/ready-test
	$(BIN)/python -m tools.languages $(if $(PACKAGE),"$(PACKAGE)") $(LANGUAGES)

.venv/ready-%: pyproject.toml plugins/exact/pyproject.toml locked.txt tools/setup.py $(WORN)
	@"$(PYTHON)" tools/setup.py $*

locked: .venv/ready-test
	$(BIN)/python -m tools.hashes

migration: .venv/ready-test
	$(BIN)/python tools/migration.py "$(WHY)"

clean:
	rm -rf .venv dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
