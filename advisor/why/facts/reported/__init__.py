"""What do people say of the machine, the load and what they tried?"""
