"""What lies between the members of a lab?

`ports` on loopback · `namespaces` one per member · `emulation` delay and bandwidth between them · `forwarder` where the
kernel has no netem · `round_trips` measured afterwards.
"""
