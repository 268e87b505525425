"""`python -m lazyrich`."""

from .cli import main

main()
