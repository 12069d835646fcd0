"""What is an experiment, how is it run, what did it show?"""
