"""How do values that were read as text become one member?

`builder` collects what was read · `sample_times` when · `scalars`, `value_types`, `spellings`, `plausibility` what a
value is · `redaction` no secrets · `lazy` large bundles are typed when somebody looks."""
