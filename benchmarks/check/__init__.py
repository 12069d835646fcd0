"""How well does `advisor check` do on files that nobody wrote for it?

`fix_properties` asks whether --fix ever makes a mutated file worse: `mutations` has the files, `fix_harm` says what is
worse, `real_programs` asks the servers.
"""
