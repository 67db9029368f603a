"""The KV cache of a model in words: its formula, and what cells hold."""

from PySide6.QtCore import QCoreApplication, QObject

from app.kv_cells import NEXT_TOKENS, CellRun, KvFacts, Origin
from engine.events import CellKind, Loaded
from engine.values import KvGroup, KvLayout
from ui.format import format_bytes, format_count
from ui.panels.explain.facts import Fact

NO_BREAK_SPACE = "\u00a0"
translate = QCoreApplication.translate


def kind_text(kind: CellKind) -> str:
    """What cells hold, for a legend."""
    match kind:
        case CellKind.SYSTEM:
            return translate("KvCells", "system prompt")
        case CellKind.USER:
            return translate("KvCells", "you")
        case CellKind.ANSWER:
            return translate("KvCells", "answers")
        case CellKind.TEMPLATE:
            return translate("KvCells", "marks between turns")
        case CellKind.UNKNOWN:
            return translate("KvCells", "prompt, parts not known")
        case CellKind.ADDED_SYSTEM:
            return translate("KvCells", "system prompt of the template")


def run_text(run: CellRun, kv: KvLayout, n_tokens: int) -> str:
    """Cells in one line: what they hold, which of the `n_tokens` tokens held, how many bytes."""
    place = translate("KvCells", "tokens {first} to {last}").format(
        first=format_count(run.begin + 1), last=format_count(run.end)
    )
    parts = [_name(run), place]
    if kv.groups:
        held = kv.held_bytes(run.begin, run.end, n_tokens)
        parts.append(format_bytes(held) if held else translate("KvCells", "no longer kept"))
    return "  ·  ".join(parts)


def _name(run: CellRun) -> str:
    number = format_count(run.number)
    match run.kind:
        case CellKind.SYSTEM:
            return translate("KvCells", "System prompt")
        case CellKind.USER:
            return translate("KvCells", "Your message {n}").format(n=number)
        case CellKind.ANSWER if not run.number:
            return translate("KvCells", "Answer")
        case CellKind.ANSWER:
            return translate("KvCells", "Answer {n}").format(n=number)
        case CellKind.TEMPLATE:
            return translate("KvCells", "Marks between turns")
        case CellKind.UNKNOWN:
            return translate("KvCells", "Part of the prompt")
        case CellKind.ADDED_SYSTEM:
            return translate("KvCells", "System prompt that the model's template adds")


def origin_text(origin: Origin, n_tokens: int) -> str:
    """How so many tokens got into the cache, for a legend."""
    n = format_count(n_tokens)
    match origin:
        case Origin.REUSED:
            return translate("KvCells", "reused {n}").format(n=n)
        case Origin.READ:
            return translate("KvCells", "read {n}").format(n=n)
        case Origin.WRITTEN:
            return translate("KvCells", "written {n}").format(n=n)


def origins_text(origins: set[Origin]) -> str:
    """How cells got what they hold, in a word."""
    if origins == {Origin.REUSED}:
        return translate("KvCells", "reused")
    if Origin.REUSED in origins:
        return translate("KvCells", "partly reused")
    if origins == {Origin.READ}:
        return translate("KvCells", "read")
    return translate("KvCells", "written")


def formula_text(loaded: Loaded) -> str:
    """Bytes of one token, as a product with this model's numbers, a line for each kind of layer."""
    kv = loaded.kv
    lines = [_group_text(group, kv) for group in kv.groups]
    if kv.fixed_bytes:
        lines.append(
            translate("KvCells", "a state of {bytes}, the same at any length").format(
                bytes=format_bytes(kv.fixed_bytes)
            )
        )
    return "\n+ ".join(lines)


def _group_text(group: KvGroup, kv: KvLayout) -> str:
    window = ""
    if group.max_tokens is not None:
        window = translate("KvCells", "the last {n} tokens only").format(
            n=format_count(group.max_tokens)
        )
    heads, k_size, v_size = group.n_kv_heads, group.k_head_size, group.v_head_size
    if None in (group.n_layers, heads, k_size, v_size, kv.block_values, kv.block_bytes):
        text = translate("KvCells", "{bytes} in all layers, as the engine reports it").format(
            bytes=format_bytes(group.bytes_per_token)
        )
        return f"{text}, {window}" if window else text
    factors = [
        KvCounts().layers(group.n_layers or 0),
        KvCounts().kv_heads(heads or 0),
    ]
    if v_size == k_size:
        numbers = translate("KvCells", "{n} numbers").format(n=format_count(k_size))
        factors += [numbers, translate("KvCells", "2 (key, value)")]
    elif v_size:
        factors.append(
            translate("KvCells", "({k} + {v}) numbers of key and value").format(
                k=format_count(k_size), v=format_count(v_size)
            )
        )
    else:
        factors.append(
            translate("KvCells", "{n} numbers for key and value together").format(
                n=format_count(k_size)
            )
        )
    n_bytes = format_count(kv.block_bytes)
    if kv.block_values != 1:
        n_bytes = f"{n_bytes}/{format_count(kv.block_values)}"
    factors.append(translate("KvCells", "{n} bytes").format(n=n_bytes) + f" ({kv.type_name})")
    # Lines break between factors only.
    text = " × ".join(factor.replace(" ", NO_BREAK_SPACE) for factor in factors)
    return f"{text}, {window}" if window else text


def facts(loaded: Loaded, known: KvFacts, *, is_told: bool) -> list[Fact]:
    """What is to be said about the cache, each with a sentence; `is_told`: what it holds."""
    kv = loaded.kv
    used_bytes = known.used_bytes if is_told else None
    return [
        Fact(
            name=translate("KvCells", "Used"),
            value=translate("KvCells", "{used} of {reserved}").format(
                used=format_bytes(used_bytes), reserved=format_bytes(kv.reserved_bytes)
            ),
            sentence=_used_sentence(kv),
        ),
        Fact(
            name=translate("KvCells", "One more token"),
            value=format_bytes(known.token_bytes),
            formula=formula_text(loaded),
            sentence=_token_sentence(loaded),
        ),
        _next_fact(kv, known),
        _fit_fact(known),
    ]


def _used_sentence(kv: KvLayout) -> str:
    if not kv.groups:
        return translate(
            "KvCells",
            "This model keeps no notes on single tokens: it folds all it has read into one state, "
            "which stays as large however long the conversation gets.",
        )
    if not kv.is_reserved:
        text = translate(
            "KvCells",
            "The model keeps notes, a key and a value, on every token it has read. Without them it "
            "would have to read the whole conversation again for each new token. Memory for them "
            "is taken as they are written, for up to {n} tokens.",
        )
    else:
        text = translate(
            "KvCells",
            "The model keeps notes, a key and a value, on every token it has read. Without them it "
            "would have to read the whole conversation again for each new token. Room for "
            "{n} tokens was set aside when it was loaded.",
        )
    return text.format(n=format_count(kv.reserved_tokens))


def _token_sentence(loaded: Loaded) -> str:
    kv, sentences = loaded.kv, []
    if not kv.groups:
        return translate("KvCells", "More tokens cost time here, and no memory.")
    model = loaded.model
    heads = {group.n_kv_heads for group in kv.groups}
    if model.n_heads and len(heads) == 1 and (shared := heads.pop()) and shared < model.n_heads:
        sentences.append(
            translate(
                "KvCells",
                "In each layer {heads} attention heads, which look things up in the notes, share "
                "the notes of {kv_heads} (grouped-query attention): so the cache is much smaller.",
            ).format(heads=format_count(model.n_heads), kv_heads=format_count(shared))
        )
    if any(group.max_tokens is not None for group in kv.groups):
        sentences.append(
            translate(
                "KvCells",
                "Layers with a sliding window forget the oldest tokens, and stop growing there.",
            )
        )
    if (kv.block_values or 1) > 1:
        sentences.append(
            translate(
                "KvCells", "{type} packs {n} numbers and their scale into {bytes} bytes."
            ).format(
                type=kv.type_name,
                n=format_count(kv.block_values),
                bytes=format_count(kv.block_bytes),
            )
        )
    if any(group.n_kv_heads is None for group in kv.groups):
        sentences.append(
            translate(
                "KvCells",
                "Layers of this model differ, or their layout is not known, so there is no single "
                "formula.",
            )
        )
    return " ".join(sentences)


def _next_fact(kv: KvLayout, known: KvFacts) -> Fact:
    n_next = known.n_next_tokens
    if not n_next:
        return Fact(
            name=translate("KvCells", "The next tokens"),
            value=format_bytes(0),
            sentence=translate("KvCells", "None: the context is full."),
        )
    sentences = []
    if n_next == NEXT_TOKENS and kv.groups:
        sentences.append(translate("KvCells", "A few pages of text."))
    if known.next_bytes < n_next * sum(group.bytes_per_token for group in kv.groups):
        sentences.append(
            translate(
                "KvCells",
                "Less than as many times one token, since some layers keep the last tokens only.",
            )
        )
    elif kv.groups and kv.is_reserved:
        sentences.append(
            translate(
                "KvCells", "The room for them is set aside already: the engine will not grow."
            )
        )
    return Fact(
        name=KvCounts().next_tokens(n_next),
        value=format_bytes(known.next_bytes),
        sentence=" ".join(sentences),
    )


def _fit_fact(known: KvFacts) -> Fact:
    free, n_full = format_bytes(known.free_bytes), format_count(known.n_full)
    if known.free_bytes is None:
        sentence = translate("KvCells", "Shows when the memory of its device was measured.")
    elif known.n_tokens:
        sentence = translate(
            "KvCells",
            "So many conversations as long as this one would fit into the {free} that are free "
            "on its device; {n} with a full context.",
        ).format(free=free, n=n_full)
    else:
        sentence = translate(
            "KvCells",
            "So many conversations with a full context would fit into the {free} that are free "
            "on its device.",
        ).format(free=free)
    return Fact(
        name=translate("KvCells", "Conversations that fit"),
        value=format_count(known.n_like_this) if known.n_tokens else n_full,
        sentence=sentence,
    )


class KvCounts(QObject):
    """Counted things. lupdate finds plurals in the `tr` of a QObject only."""

    def layers(self, n: int) -> str:
        """So many layers."""
        return self.tr("%Ln layers", "", n)

    def kv_heads(self, n: int) -> str:
        """So many KV heads."""
        return self.tr("%Ln KV heads", "", n)

    def next_tokens(self, n: int) -> str:
        """So many tokens more."""
        return self.tr("The next %Ln tokens", "", n)
