"""How does the command line name a time that has passed, and the monitoring that kept it?"""
