"""Drop-in modules: the calls and the numbers of other tools, computed here."""
