"""The timeline: whole requests, what the machine did meanwhile, and what happened when."""
