"""What engines are called on screen: names that no language changes."""

LLAMA_TITLE, TORCH_TITLE = "llama.cpp", "PyTorch"
_TITLES = {"llama": LLAMA_TITLE, "torch": TORCH_TITLE}


def engine_title(backend: str) -> str:
    """The name of the engine behind a backend, which is called as files have it."""
    return _TITLES.get(backend, backend)
