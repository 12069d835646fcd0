"""What works next to the load while a mechanism is played? Programs of their own, which end with the gym."""
