"""Exports of other applications: ChatGPT, Open WebUI, LM Studio and ShareGPT.

Each is recognised by its own shape. What people and models said is taken, with all its branches,
and what a model thought, as `<think>`. Messages of the system become the system prompt; those of
tools, what was never shown, and what has no text are left out. A picture is "[image]".
"""
