"""Where do events come from? `files` a set of files, by name, index or folder · `log_file` whether it is a log ·
`server_log` what a server sends.
"""
