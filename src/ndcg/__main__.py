"""`python -m ndcg`: the command."""

from .cli.main import entry

entry()
