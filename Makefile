# The book's commands; `make help` lists them. GNU make 3.81 or newer, Python 3.11 or newer.
.DEFAULT_GOAL := help
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
# uv does not compile modules, so Python must store their bytecode; otherwise some fifty programs would each compile
# them again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help book pdf serve lab test times check lint format outputs previews benchmark experiments site-benchmark flakes mutants matrix constraints wasm clean

help:         ## list the commands
	@sed -n 's/^\([a-z-]*\): .*## \(.*\)/make \1	\2/p' Makefile

book: .venv/installed         ## build the website into _build/html
	$(BIN)/jupyter-book build -W --keep-going .
	@echo "Open _build/html/index.html in a browser, or run: make serve"

# Not ?=, because some shells have variables HOST and LANGUAGE: only a value in the command opens the server to other
# machines, or a book in another language.
HOST = 127.0.0.1
LANGUAGE =
pdf: PRINTED = _build/attention-measured$(addprefix -,$(LANGUAGE)).pdf
pdf: export ATTENTION_MEASURED_LANGUAGE = $(LANGUAGE)
pdf: .venv/installed-test         ## print the whole book to _build/attention-measured.pdf (with Chromium); in Chinese: make pdf LANGUAGE=zh
	$(BIN)/jupyter-book build -W --keep-going --builder singlehtml --path-output _build/pdf/$(LANGUAGE) .
	$(BIN)/python -m website.print.print_book _build/pdf/$(LANGUAGE)/_build/singlehtml/index.html $(PRINTED)
	@echo "Wrote $(PRINTED)"

serve: book         ## build the website and serve it on this machine; to all machines in its network: make serve HOST=0.0.0.0
	@echo "Open http://$(patsubst 0.0.0.0,<this machine's name or address>,$(HOST)):$(PORT)/ in a browser; Ctrl-C stops the server"
	@$(BIN)/python -m http.server --bind $(HOST) --directory _build/html $(PORT)

# Waiting threads of a kernel spin, which makes cells ten times as slow when the machine is busy. An installation that is
# not editable brings the option as an extension of the server (website/edition/server.py).
SAVED := --ContentsManager.pre_save_hook=explore.explorers.saved.without_widgets
lab: export OMP_NUM_THREADS ?= 1
lab: export OMP_WAIT_POLICY ?= PASSIVE
lab: export ATTENTION_MEASURED_LANGUAGE = $(LANGUAGE)
lab: .venv/installed         ## open the chapters in JupyterLab: copies in the folder notebooks, which keep what you change; in Chinese: make lab LANGUAGE=zh
	$(BIN)/python -m website.edition
	cd notebooks/$(LANGUAGE) && $(CURDIR)/$(BIN)/jupyter lab $(SAVED) index.ipynb

test: .venv/installed-test         ## lint, run every notebook through nbval, build the book, run unit tests, test the built site in a browser
	@$(BIN)/python -m tools.test_run

times:         ## store the times that `make test` printed; the next runs print theirs beside them
	$(BIN)/python -m tools.test_run --store

check: .venv/installed-test         ## check one chapter in a minute, for example: make check CHAPTER=03; without a chapter, all changes since the last commit
	@$(BIN)/python -m tools.check $(CHAPTER)

lint: .venv/installed-test         ## ruff, for modules and notebooks; oxlint and oxfmt, for scripts and style sheets
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/oxlint --deny-warnings .
	$(BIN)/oxfmt --check '**/*.js' '**/*.css'

format: .venv/installed-test         ## format modules, notebooks, scripts and style sheets, and correct what can be corrected
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/oxfmt '**/*.js' '**/*.css'

outputs: .venv/installed         ## execute the notebooks and store their outputs; for one chapter: make outputs CHAPTER=03
	$(BIN)/python -m website.notebooks.store_outputs $(CHAPTER)
	$(if $(CHAPTER),,$(BIN)/python -m tools.draw_preview)

previews: book .venv/installed-test         ## draw the pictures of the book: the one shown with links to it, and the README's (with Chromium)
	$(BIN)/python -m tools.draw_preview
	$(BIN)/python -m tools.draw_screenshot

benchmark: .venv/installed         ## measure time and memory of all forms, side by side (about three minutes)
	$(BIN)/python -m benchmarks

experiments: .venv/installed         ## run all the long training whose results the chapters read (some hours on two cores)
	$(BIN)/python -m experiments

site-benchmark: book .venv/installed-test         ## print Lighthouse's scores for every built page (Chromium, Node.js; half an hour)
	$(BIN)/python -m benchmarks.site

RUNS ?= 20
flakes: .venv/installed         ## run all notebooks many times, with different hash seeds, threads and orders; no output may differ
	$(BIN)/python -m tools.find_flakes $(RUNS)

mutants: .venv/installed-test         ## break attention_core.py in 3,800 ways, and count how many its tests notice
	$(BIN)/python -m pip install -q mutmut==3.8.1 -c constraints.txt
	OMP_NUM_THREADS=1 $(BIN)/mutmut run
	$(BIN)/mutmut results

matrix: .venv/installed         ## run unit tests and notebooks with the oldest and newest versions allowed (an hour, several gigabytes)
	$(BIN)/python -m pip install -q nox==2026.10.20
	$(BIN)/nox

constraints: .venv/installed-test         ## resolve constraints.txt again, for all platforms
	$(BIN)/python -m tools.compile_constraints

wasm: .venv/installed-test         ## assemble linear.wat, which computes for the models in the page, into linear.wasm
	$(BIN)/python -c "import wasmtime as w; from models.in_worker.files import PROGRAM as p; \
		(p / 'linear.wasm').write_bytes(w.wat2wasm((p / 'linear.wat').read_text('utf-8')))"

clean:         ## remove everything that was built or installed
	rm -rf .venv .nox _build mutants .pytest_cache .ruff_cache .hypothesis *.egg-info

# Installed once, and again when the requirements change. uv compiles no modules: without the large imports at the end,
# the first kernels would compile the same ones at the same time.
.venv/installed: requirements.txt requirements-no-deps.txt constraints.txt hashes.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed, but $(PYTHON) is older; name a newer one: make PYTHON=python3.12 book"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m tools.install -r requirements.txt
	$(BIN)/python -m tools.install --no-deps -r requirements-no-deps.txt
	$(BIN)/python -c "import ipykernel, matplotlib.pyplot, torch._dynamo, transformers.modeling_utils"
	@touch $@

.venv/installed-test: .venv/installed requirements-test.txt
	$(BIN)/python -m tools.install -r requirements-test.txt
	@touch $@
