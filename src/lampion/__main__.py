"""`python -m lampion` is the `lampion` command."""

from lampion.cli import main

if __name__ == "__main__":
    main()
