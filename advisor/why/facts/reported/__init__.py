"""What do users report about the machine, the load and the changes they tried?"""
