"""What do several commands share: options, formats, the terminal, signals, exit codes?"""
