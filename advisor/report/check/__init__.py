"""How are findings shown: at the terminal, as JSON, SARIF, Markdown, as a diff, as SQL?"""
