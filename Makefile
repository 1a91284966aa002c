# `make run` and `make test` are all a newcomer needs; `make help` lists all targets, each of which sets up .venv once.

PYTHON ?= python3
PORT ?= 7860
VENV := .venv
BIN := $(VENV)/bin
# `make run` uses the index that every command uses by default; INDEX=DIR is another.
AT := $(if $(INDEX),--index "$(INDEX)")
TOOLS := .venv-tools
# How many processes are started is told by conftest.py, which puts the long files first too. A file's tests stay
# together, so that its servers and indexes are made once. Bytecode is kept even where containers turn that off: tests
# start a hundred processes, which would compile all of ours, and pytest its plugins, again each time. A process that
# ended is not replaced: the next one would begin with the test that ended it. Each computes on one thread, for there
# are more of them than cores. On a busy machine a browser may wait in vain, and a Ray node not be there within Ray's
# thirty seconds: such a test is tried once more, and listed with the results.
PYTEST := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --max-worker-restart 0 \
	--dist loadfile --no-loadscope-reorder --reruns 1 --only-rerun '^TimeoutError: (Locator|Page)\.' \
	--only-rerun '^Exception: The current node timed out'
# Those who work on it keep caches in the checkout; `make run` uses the user's, as every command does.
RELNOTES_CACHE_DIR ?= $(CURDIR)/.relnotes/cache
export PYTHONUTF8 := 1

.PHONY: run help setup test test-all test-explore lint format eval eval-full bench fuzz train \
	lock setup-locked audit sbom image clean
.DEFAULT_GOAL := run

run: setup
	@trap : INT; $(BIN)/relnotes ingest corpus/documents CHANGELOG.md $(AT) && \
		$(BIN)/relnotes serve --port $(PORT) $(AT) || [ $$? = 130 ]

help:
	@awk -F '|' '/^[|] `make/ { gsub(/`/, ""); sub(/;.*/, "", $$3); printf "%-27s%s\n", $$2, $$3 }' CONTRIBUTING.md

setup: $(VENV)/.installed

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "relnotes needs Python 3.11 or newer; set PYTHON=python3.x")'
	$(PYTHON) -m venv $(VENV)

# By pip, with torch's CPU build where PyTorch's index can be reached: .ci/install.py tells how much comes, and how far it is.
$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@$(BIN)/python .ci/install.py -e '.[mcp]'
	@touch $@

# Each brings what the ones before it do: one call of pip instead of three.
$(VENV)/.installed-test: pyproject.toml | $(VENV)/bin/python
	@$(BIN)/python .ci/install.py -e '.[test]'
	@touch $(VENV)/.installed $@

$(VENV)/.installed-test-all: pyproject.toml | $(VENV)/bin/python
	@$(BIN)/python .ci/install.py -e '.[test-all]'
	@touch $(VENV)/.installed $(VENV)/.installed-test $@

test test-all test-explore lint eval eval-full train bench fuzz lock: export RELNOTES_CACHE_DIR := \
	$(RELNOTES_CACHE_DIR)

test: $(VENV)/.installed-test
	@echo "Some five thousand tests: at most five minutes on two cores."
	$(PYTEST) -m 'not slow and not browser'

# With those that load torch, kill processes, ingest many documents, start a Ray cluster or drive a browser: what CI runs.
# A Ray node that can't begin within Ray's fixed 30 s is given up, which beside all other tests some can't: alone, after.
CLUSTER_TESTS := tests/test_ingest_cluster.py
test-all: $(VENV)/.installed-test-all
	$(PYTEST) --ignore $(CLUSTER_TESTS)
	$(PYTEST) -n 0 $(CLUSTER_TESTS)

# Property tests with other examples each time, and twenty times as many; what it finds becomes an example of its own.
test-explore: $(VENV)/.installed-test
	HYPOTHESIS_PROFILE=explore $(PYTEST) -m hypothesis

lint: $(VENV)/.installed-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python .ci/size.py
	$(BIN)/python .ci/words.py

format: $(VENV)/.installed-test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The gate: our questions over the bundled documents, the seeds and a fixed part of the corpora, where present.
eval: setup
	$(BIN)/python -m evals.gate_run

# Everything, the whole of ../shared/corpora included; writes evals/results/RESULTS-full.md, CLAIMS.md and REVIEWS.md.
eval-full: setup
	$(BIN)/python -m evals.gate_run --full
	$(BIN)/python -m evals.claims
	$(BIN)/python -m evals.reviews
	$(BIN)/python -m evals.reading

# What is learned, anew: brings the notes of 23 further projects from the package index that pip is set to, checks the
# training set, learns to read questions and items, to judge claims and then questions, the order of items, the decision
# to answer.
# Some twenty minutes, most of which is asking, and half an hour each for what judges claims and questions.
train: setup
	$(BIN)/python -m evals.training.fetch
	$(BIN)/python -m evals.training.check
	$(BIN)/python -m evals.training.readers
	$(BIN)/python -m evals.training.entailment
	$(BIN)/python -m evals.training.answers
	$(BIN)/python -m evals.training.train

# Speed and memory, beside two scripts.
bench: setup
	$(BIN)/python -m evals.lab speed $(BENCH)

# Every way in tried with hostile bytes that hypothesis draws anew; what breaks becomes a file of tests/data/fuzz.
fuzz: $(VENV)/.installed-test
	HYPOTHESIS_PROFILE=explore $(PYTEST) tests/test_fuzz.py

# The environment of what guards the others: resolver, auditor, maker of the bill of materials; itself locked.
$(TOOLS)/.installed: .lock/tools.txt
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r .lock/tools.txt
	@touch $@

# Every dependency with its version and hashes, for all platforms; on Linux torch's CPU build, which uv must be able to
# find: in PyTorch's index, or where PIP_EXTRA_INDEX_URL and PIP_FIND_LINKS say.
COMPILE = UV_CACHE_DIR=$(RELNOTES_CACHE_DIR)/uv UV_EXTRA_INDEX_URL="$(PIP_EXTRA_INDEX_URL) $$($(PYTHON) .ci/install.py --index)" \
	UV_FIND_LINKS="$(PIP_FIND_LINKS)" $(TOOLS)/bin/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links --index-strategy unsafe-best-match \
	--custom-compile-command "make lock" $(UPGRADE)

lock: $(TOOLS)/.installed
	$(COMPILE) pyproject.toml --extra test-all -c .lock/constraints.txt -o .lock/test.txt
	$(COMPILE) pyproject.toml --extra mcp --extra slack -c .lock/constraints.txt -c .lock/test.txt -o .lock/run.txt
	$(COMPILE) .lock/tools.in -o .lock/tools.txt

# Like `setup`, from the lock: nothing is installed whose hash isn't in it.
setup-locked: $(TOOLS)/.installed
	$(PYTHON) -m venv $(VENV)
	@$(BIN)/python .ci/install.py --require-hashes -r .lock/run.txt
	rm -rf .relnotes/dist
	$(TOOLS)/bin/hatchling build -t wheel -d $(CURDIR)/.relnotes/dist
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --force-reinstall .relnotes/dist/*.whl

# Known vulnerabilities of what is locked; where no service that knows them is reached, it says so and passes.
audit: $(TOOLS)/.installed
	@for lock in .lock/test.txt .lock/tools.txt; do \
		said=$$($(TOOLS)/bin/pip-audit -s osv --disable-pip --no-deps --timeout 10 -r $$lock 2>&1) || true; \
		case "$$said" in \
			*"Found "*" known"*) echo "$$lock: $$said"; exit 1 ;; \
			*"No known"*) echo "$$lock: nothing is known" ;; \
			*) echo "NOT CHECKED. No service that knows of vulnerabilities is reached: $$lock" ;; \
		esac; \
	done

# What a relnotes is made of, as CycloneDX.
sbom: $(TOOLS)/.installed
	mkdir -p .relnotes
	$(TOOLS)/bin/cyclonedx-py requirements --pyproject pyproject.toml --mc-type application --output-reproducible \
		--output-format JSON --output-file .relnotes/sbom.cdx.json .lock/run.txt

# The container, by whichever builder there is; what pip is told here, it is told there.
image:
	$$(command -v podman || command -v docker || command -v buildah) build -f docs/operations/Containerfile \
		$(if $(PIP_EXTRA_INDEX_URL),--build-arg PIP_EXTRA_INDEX_URL="$(PIP_EXTRA_INDEX_URL)") $(IMAGE) -t relnotes .

clean:
	rm -rf $(VENV) $(PEERS) $(TOOLS) .relnotes .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
