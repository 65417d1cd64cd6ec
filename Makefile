# two commands matter: `make demo` and `make test`; both create .venv and install what they need
VENV   := .venv
PYTHON ?= python3
BIN    := $(VENV)/bin

.PHONY: demo test test-processors test-all fuzz bench claims papers docs linkcheck package viewer pictures widths clean

$(VENV)/.run: pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'gudgeon needs Python 3.11 or newer; set PYTHON=python3.11')"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing into $(VENV), once (a few minutes, mostly downloads) ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.dev: $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@

demo: $(VENV)/.run
	$(BIN)/python -m gudgeon.demo

test: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2 --dist loadfile

# the same tests with code for other processors: results that depend on rounding are not to be tested for
test-processors: $(VENV)/.dev
	for cpu in x86-64 haswell; do GUDGEON_CPU=$$cpu $(BIN)/python -m pytest -n 2 --dist loadfile || exit 1; done
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-all: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "slow or not slow"

# random mechanisms that nobody thought of: make fuzz FIRST=5000 COUNT=1000; what disagrees is made smaller and printed
FIRST ?= 2000
COUNT ?= 200
fuzz: $(VENV)/.dev
	$(BIN)/python tests/fuzz/campaign.py $(FIRST) $(COUNT)

bench: $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	$(BIN)/python -m benchmarks

claims: $(VENV)/.run
	$(BIN)/gudgeon reproduce all

# the claims that the documentation shows: everything computed, figures and pages in out/papers, tables into docs
papers: $(VENV)/.run
	$(BIN)/gudgeon reproduce all -o out/papers
	cp out/papers/*.md out/papers/claims.json docs/papers/

# the pages, out/docs/index.html; examples and figures are computed on the way, and a warning is an error
$(VENV)/.docs: $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $@

docs: $(VENV)/.docs
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs out/docs

# needs the network, so that it is no part of the tests
linkcheck: $(VENV)/.docs
	$(BIN)/python -m sphinx -q -b linkcheck docs out/linkcheck

# what would be published, tried as a stranger would: each file into an empty environment, and the demo from there
package: $(VENV)/.dev
	rm -rf dist out/clean && $(BIN)/python -m build --outdir dist .
	for file in dist/*.whl dist/*.tar.gz; do \
	  rm -rf out/clean && $(PYTHON) -m venv out/clean && \
	  out/clean/bin/python -m pip install --quiet --disable-pip-version-check $$file && \
	  (cd out && clean/bin/python -m gudgeon.demo && clean/bin/gudgeon --version) || exit 1; \
	done

clean:
	rm -rf docs/_examples docs/gallery docs/generated docs/theory/figures docs/theory/laws* docs/theory/mates* docs/theory/methods* docs/theory/references.md
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache .hypothesis

# the browser page: needs Node.js; its result is in the package, so that nobody else does
viewer:
	cd viewer && npm ci --no-audit --no-fund --silent && npx vite build --logLevel warn
	$(PYTHON) viewer/stamp.py

# docs/images, photographed in a browser: needs Chromium
pictures: $(VENV)/.dev
	$(BIN)/python docs/pictures.py

# whether code blocks of the built pages fit into their column: needs Chromium
widths: $(VENV)/.dev
	$(BIN)/python docs/widths.py
