"""Which causes and ceilings are there, and do their files hold what they should?

`loader` lists the files, `cause_and_ceiling_files` and `wait_class_files` turn them into records (`wait_class`) ·
`calibration` how much confidence is told of an answer · `case_results` whether a cause gives what its cases expect ·
`forms_of_cases`, `cause_matrix` what evidence can tell it.
"""
