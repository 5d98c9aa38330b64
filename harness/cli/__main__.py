"""`python -m harness.cli` is the command `presi`."""

from . import main

if __name__ == "__main__":
    main()
