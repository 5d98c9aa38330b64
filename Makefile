# make demo: install and play a first tournament.  make test: lint and all tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo venv test lint format lock build wheel clean

demo: $(READY)
	$(BIN)/presi run experiments/quickstart.toml --out results/quickstart --force

venv: $(READY)

test: lint
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The exact versions everything was tested with; ranges are in pyproject.toml.
lock:
	rm -rf $(VENV)-lock
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install --quiet '.[test]'
	$(VENV)-lock/bin/python -m pip freeze --exclude presi-harness > $(VENV)-lock/frozen
	! grep ' @ ' $(VENV)-lock/frozen
	mv $(VENV)-lock/frozen requirements.lock
	rm -rf $(VENV)-lock

# An old build/ would put modules that are gone into the wheel.
build wheel: $(READY)
	rm -rf build
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV) $(VENV)-lock build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Python 3.11 or newer with its venv module is needed (on Debian: apt install python3-venv)"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $(READY)
