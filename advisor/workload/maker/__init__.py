"""How is a load made that is like a user's? Only shapes and numbers go into it, never names or values.

`sources` files, `server` a running one: they hold `definitions` of tables (`column_types`) and `digests` of statements.
What is taken from the log: `transaction_kinds` · `row_choice` which rows · `histogram` how numbers are spread. What
becomes of it: `copied_table` · `reads`, `statements` · `compose` the whole load · `load_file` the same as YAML.
"""
