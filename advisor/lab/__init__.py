"""Real clusters on one machine: find or fetch server programs, start members, join them, stop them without a trace."""
