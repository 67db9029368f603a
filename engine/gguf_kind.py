"""Whether a GGUF file is a model that writes text, as far as its header says."""

from engine.errors import EngineError, ErrorCode
from engine.gguf import GgufHeader

# Architectures of llama.cpp that turn text into vectors, pictures into embeddings or tokens into
# sound, draft for another model, or fill in blanks instead of writing on.
_NOT_CHAT = frozenset(
    {
        "bert", "clip", "controlvector", "dflash", "dream", "eagle3", "eurobert",
        "gemma-embedding", "gemma4-assistant", "imatrix", "jina-bert-v2", "jina-bert-v3", "llada",
        "llada-moe", "llama-embed", "modern-bert", "neo-bert", "nomic-bert", "nomic-bert-moe",
        "rnd1", "t5", "t5encoder", "wavtokenizer-dec",
    }
)  # fmt: skip
_NOT_CHAT_TYPES = frozenset({"adapter", "imatrix", "mmproj", "projector", "vocab"})


def check_kind(header: GgufHeader) -> None:
    """Raise NOT_A_CHAT_MODEL with "path" and "architecture" for what cannot answer on its own."""
    architecture = header.architecture
    kind = header.metadata.get("general.type")
    pooling = header.integer("pooling_type")
    if (
        architecture is None
        or architecture in _NOT_CHAT
        or kind in _NOT_CHAT_TYPES
        or (pooling is not None and pooling > 0)
    ):
        raise EngineError(
            ErrorCode.NOT_A_CHAT_MODEL,
            f"architecture {architecture}, type {kind}, pooling {pooling}",
            path=str(header.path),
            architecture=architecture or "",
        )
