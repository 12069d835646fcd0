"""What does a tuning run keep on disk, so that it survives a crash?

`study_folder` one per cluster · `lock` one program at a time · `journal` what was changed · `jsonl` rows that survive a
crash · `database` a study that several share.
"""
