# Every target installs its dependencies in .venv. Tests of editors also write editors/vscode/node_modules, which git ignores.
BIN := .venv/bin

# With PYTHON, the environment has this Python. Without, the one that it has, and a new one that of python3.
ifeq ($(origin PYTHON),undefined)
PYTHON := $(shell command -v python3 || echo $(BIN)/python)
THIS_PYTHON :=
else
THIS_PYTHON := --this-python
endif

.DEFAULT_GOAL := help
.PHONY: help toolkit install npm serve test test-fast check dist pyz vsix test-editors mutants bench docs site images format clean

help: ## show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# install.py has the syntax of Python 3.6.
INSTALL = @"$(PYTHON)" -c "import sys; sys.exit(sys.version_info < (3, 6))" 2>/dev/null || \
		{ echo "Python 3.11 or newer is needed, and $(PYTHON) is none. Install it, or set PYTHON=/path/to/python3."; exit 1; }; \
	"$(PYTHON)" install.py --quiet $(THIS_PYTHON)

toolkit: # the program rui, without what tests need
	$(INSTALL)

install: ## install all dependencies in .venv
	$(INSTALL) --dev

# HOST, PORT and STORE on the command line are settings; those of the environment may belong to other programs.
serve: toolkit ## run the service on http://127.0.0.1:8000 with an embedded SQLite store
	$(foreach name,HOST PORT STORE,$(if $(filter command,$(origin $(name))),RUI_$(name)="$($(name))")) $(BIN)/rui serve $(ARGS)

# Each group of tests/conftest.py runs in one process, in the order in which pytest collects it.
PARALLEL := --dist loadgroup --no-loadscope-reorder

# The tests start hundreds of processes: without bytecode, each compiles the sources again.
test test-fast test-editors: export PYTHONDONTWRITEBYTECODE :=

# Six processes keep two cores busy: those with browsers, editors and stores wait for most of their time.
test: install ## run all tests
	$(BIN)/python -m pytest --numprocesses 6 $(PARALLEL) $(ARGS)

# What a change of the vocabulary can break, without a browser, a database and an editor: 80 seconds of processor time.
FAST := tests/rui_common tests/rui_openapi tests/rui_cli tests/rui_inspector/html tests/rui_inspector/model \
	tests/rui_api/contract tests/rui_api/decoding tests/rui_lsp/features tests/rui_lsp/test_reference_page.py \
	tests/rui_api/routes/test_discovery.py tests/test_copies.py tests/properties tests/test_corpus.py tests/test_house.py tests/test_new_block_type.py \
	tests/editors/test_vscode_grammar.py::test_the_grammar_is_up_to_date
# Reading JSON, the client, files, formats of reports and git do not depend on the vocabulary; laws of random histories hardly do.
SLOW := tests/rui_common/syntax tests/rui_common/client tests/rui_cli/commands/test_behind_a_proxy.py \
	tests/rui_cli/commands/test_merge.py tests/rui_cli/commands/test_git.py tests/rui_cli/commands/test_git_scenarios.py \
	tests/rui_cli/commands/test_since.py tests/rui_cli/commands/test_diff_revisions.py \
	tests/rui_cli/test_files.py tests/rui_cli/test_hostile_files.py tests/rui_cli/test_processes.py tests/rui_cli/formats \
	tests/rui_common/versions/test_nothing_silent.py tests/rui_common/versions/test_lost_edits.py \
	tests/rui_common/versions/test_answers.py

test-fast: install ## run the tests that a change of the vocabulary can break, in a minute
	$(BIN)/python -m pytest --numprocesses 2 $(PARALLEL) $(FAST) $(addprefix --ignore ,$(SLOW)) $(ARGS)

test-editors: install ## run only the tests in real editors, after installing the editors
	$(BIN)/python -m tests.editors.tools
	$(BIN)/python -m pytest tests/editors $(ARGS)

# Cosmic Ray changes MODULE in place, and restores it.
MODULE := rui_cli/code_frame.py
TESTS := tests/rui_cli/test_code_frame.py

# Python takes bytecode of the same size and second for that of the mutant.
mutants: export PYTHONDONTWRITEBYTECODE := 1

mutants: install ## find faults that no test finds: MODULE=rui_cli/files.py TESTS=tests/rui_cli/test_files.py
	$(BIN)/python -m pip install --quiet --group mutation
	mkdir -p build && rm -f build/mutants.sqlite
	sed -e 's:MODULE:$(MODULE):' -e 's:TESTS:$(TESTS):' tests/mutants.toml > build/mutants.toml
	$(BIN)/cosmic-ray init build/mutants.toml build/mutants.sqlite
	$(BIN)/cr-filter-operators build/mutants.sqlite build/mutants.toml
	$(BIN)/cosmic-ray baseline build/mutants.toml
	$(BIN)/cosmic-ray exec build/mutants.toml build/mutants.sqlite
	$(BIN)/cr-report --surviving-only --show-diff build/mutants.sqlite

dist: install ## build wheel and sdist: build/dist
	$(BIN)/python -m build --outdir build/dist

pyz: ## build the command line as one file: build/rui.pyz
	$(PYTHON) deploy/build_pyz.py

npm:
	@command -v npm >/dev/null || \
		{ echo "npm is needed for the extension: install Node.js 18 or newer; on Debian and Ubuntu, apt install npm"; exit 1; }

vsix: npm toolkit ## build the extension for VS Code: build/rui.vsix
	$(BIN)/python -m editors.build_vsix

check: install ## lint, format, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: install ## format the sources
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: install ## run the benchmarks next to their peers: about ten minutes
	$(BIN)/python -m benchmarks

docs: install ## write the generated files, most of them under docs/
	$(BIN)/python -m rui_common.describe docs
	$(BIN)/python -m editors.make_reference_page docs
	$(BIN)/python -m editors.make_grammar
	$(BIN)/python -m editors.make_settings
	$(BIN)/python -m deploy.make_settings

site: install ## build the documentation as a site in build/site
	$(BIN)/python -m mkdocs build --quiet --strict --site-dir build/site

images: install ## take screenshots of pages and editors for docs/images with the system's Chromium
	$(BIN)/python -m tests.rui_inspector.images
	$(BIN)/python -m tests.editors.images

clean: ## remove the environment, every cache, and what is built or installed here
	rm -rf .venv build editors/vscode/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
