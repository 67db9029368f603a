"""The engine settings: two engines, each with its own choices."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPushButton

from app import messages
from app.engine_state import EngineState, EngineStatus
from engine.errors import ErrorCode, ErrorInfo
from engine.values import Dtype, LoadOptions, Notice, NoticeCode
from tests.screen import shows
from tests.ui.driving import asked, click
from tests.ui.fakes import loaded_model
from ui.engine_dialog import EngineDialog
from ui.engine_names import short_device

if TYPE_CHECKING:
    from pathlib import Path

    from engine.events import Loaded
    from tests.ui.fakes import FakeSession
    from ui.main_window import MainWindow

ON_TORCH = LoadOptions(model_path="/models/smol.gguf", backend="torch")


def on_torch(*notices: Notice) -> Loaded:
    loaded = loaded_model(notices=notices)
    engine = replace(
        loaded.engine,
        backend="torch",
        dtype=Dtype.FLOAT32,
        n_threads=3,
        kv_type="float32",
        flash_attention=None,
    )
    return replace(loaded, engine=engine)


def open_settings(window: MainWindow) -> EngineDialog:
    click(window.top_bar.engine_button)
    dialog = next(d for d in window.findChildren(EngineDialog) if d.isVisible())
    assert isinstance(dialog, EngineDialog)
    return dialog


def choose_engine(dialog: EngineDialog, title: str) -> None:
    """With the keyboard: a combo box takes the first letters of its items."""
    dialog.engine.setFocus()
    QTest.keyClicks(dialog.engine, title[:3])


def load_with_these(dialog: EngineDialog) -> None:
    click(next(b for b in dialog.findChildren(QPushButton) if b.text() == "Load with these"))


def last_load(session: FakeSession) -> LoadOptions:
    options = asked(session, "load")[-1]
    assert isinstance(options, LoadOptions)
    return options


def items(combo: QComboBox) -> list[str]:
    return [combo.itemText(index) for index in range(combo.count())]


def test_settings_load_with_what_was_chosen(window: MainWindow, session: FakeSession) -> None:
    session.become_ready()
    dialog = open_settings(window)
    assert dialog.options() == session.engine_state.options
    dialog.llama.context.setValue(4096)
    dialog.llama.kv_type.setCurrentText("q8_0")
    load_with_these(dialog)
    options = last_load(session)
    assert (options.backend, options.n_ctx, options.kv_type.value) == ("llama", 4096, "q8_0")


def test_the_engine_changes_and_the_conversation_stays(
    window: MainWindow, session: FakeSession
) -> None:
    session.become_ready()
    answer = session.add_turns("Why?")
    session.prefill(answer)
    session.stream(answer, "Because.")
    session.finish(answer)
    turns = list(session.current_chat.turns)
    dialog = open_settings(window)
    choose_engine(dialog, "PyTorch")
    load_with_these(dialog)
    options = last_load(session)
    assert options.backend == "torch"
    assert options.model_path == "/models/SmolLM2-135M-Instruct.Q4_1.gguf"
    session.become_ready(on_torch())
    assert window.top_bar.engine_button.text() == "PyTorch · CPU · float32"
    assert session.current_chat.turns == turns
    assert window.chat.view.isVisible()


@pytest.mark.parametrize(
    ("device", "shown"),
    [
        ("CPU", "CPU"),
        ("Apple GPU", "Apple GPU"),
        ("NVIDIA H100 80GB HBM3", "H100"),
        ("NVIDIA A100-SXM4-80GB", "A100-SXM4"),
        ("NVIDIA GeForce RTX 4090 Laptop GPU", "RTX 4090"),
        ("AMD Instinct MI300X", "Instinct MI300X"),
        ("Intel(R) Arc(TM) A770 Graphics", "Arc(TM) A770"),
        ("Tesla T4", "Tesla T4"),
    ],
)
def test_a_device_is_short_where_there_is_little_room(device: str, shown: str) -> None:
    assert short_device(device) == shown


def test_a_gpu_is_named_without_its_maker_and_no_format_is_said_twice(
    window: MainWindow, session: FakeSession
) -> None:
    loaded = on_torch()
    engine = replace(
        loaded.engine, device="NVIDIA GeForce RTX 4090 <b>", dtype=Dtype.BFLOAT16, n_gpu_layers=30
    )
    model = replace(loaded.model, path="/m/Qwen2.5-0.5B", name="Qwen2.5-0.5B")
    session.load(ON_TORCH)
    session.become_ready(
        replace(loaded, engine=engine, model=replace(model, quantization="bfloat16"))
    )
    assert window.top_bar.engine_button.accessibleDescription() == (
        "PyTorch · RTX 4090 <b> · bfloat16"
    )
    assert "NVIDIA GeForce RTX 4090 &lt;b&gt;" in window.top_bar.engine_button.toolTip()
    assert window.top_bar.model_button.text() == "Qwen2.5-0.5B"
    session.become_ready(
        replace(loaded, engine=engine, model=replace(model, quantization="float32"))
    )
    assert window.top_bar.model_button.text() == "Qwen2.5-0.5B  float32"


def test_each_engine_shows_what_belongs_to_it(window: MainWindow, session: FakeSession) -> None:
    session.become_ready()
    dialog = open_settings(window)
    assert dialog.llama.kv_type.isVisible()
    assert not dialog.torch.device.isVisible()
    for name in ("KV cache type", "Flash attention", "GPU layers"):
        assert shows(dialog, name)
    choose_engine(dialog, "PyTorch")
    assert items(dialog.torch.device) == ["Auto", "CPU", "CUDA", "MPS", "XPU"]
    assert items(dialog.torch.dtype) == ["Auto", "bfloat16", "float16", "float32"]
    for name in ("Device", "Number format", "Context size", "Threads, decode", "Batch"):
        assert shows(dialog, name)
    for name in ("KV cache type", "Flash attention", "GPU layers"):
        assert not shows(dialog, name)


def test_each_engine_keeps_its_own_choices(window: MainWindow, session: FakeSession) -> None:
    session.become_ready()
    dialog = open_settings(window)
    dialog.llama.kv_type.setCurrentText("q4_0")
    dialog.llama.threads.setValue(3)
    load_with_these(dialog)
    session.become_ready()

    dialog = open_settings(window)
    choose_engine(dialog, "PyTorch")
    assert dialog.torch.threads.choice() is None
    dialog.torch.device.setCurrentText("CPU")
    dialog.torch.dtype.setCurrentText("float32")
    load_with_these(dialog)
    options = last_load(session)
    assert (options.device, options.dtype, options.n_threads) == ("cpu", Dtype.FLOAT32, None)
    session.become_ready(on_torch())

    dialog = open_settings(window)
    choose_engine(dialog, "llama")
    assert dialog.llama.kv_type.currentText() == "q4_0"
    load_with_these(dialog)
    options = last_load(session)
    assert (options.backend, options.kv_type.value, options.n_threads) == ("llama", "q4_0", 3)


def test_what_torch_chose_is_said_where_it_was_left_to_it(
    window: MainWindow, session: FakeSession
) -> None:
    session.load(replace(ON_TORCH, device="cuda:1"))
    session.become_ready(on_torch())
    dialog = open_settings(window)
    assert dialog.torch.device.currentText() == "cuda:1"
    assert items(dialog.torch.device)[0] == "Auto"
    assert dialog.torch.dtype.currentText() == "Auto (float32)"
    assert dialog.torch.threads.text() == "Auto (3)"
    assert dialog.torch.context.text() == "Auto (8,192)"
    assert dialog.llama.threads.text() == "Auto"
    assert dialog.options() == session.engine_state.options


def test_a_folder_cannot_be_run_by_llama_and_the_reason_is_said(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    session.load(replace(ON_TORCH, model_path=str(tmp_path)))
    session.become_ready(on_torch())
    dialog = open_settings(window)
    assert shows(dialog, "llama.cpp runs GGUF files only")
    choose_engine(dialog, "llama")
    QTest.keyClick(dialog.engine, Qt.Key.Key_Up)
    assert dialog.engine.currentText() == "PyTorch"
    assert dialog.options().backend == "torch"


def test_settings_of_a_load_that_failed_are_there_to_be_changed(
    window: MainWindow, session: FakeSession
) -> None:
    session.load(replace(ON_TORCH, device="cuda"))
    error = ErrorInfo(
        code=ErrorCode.DEVICE_MISSING, details=(("device", "cuda"), ("reason", "no driver"))
    )
    session.set_state(
        EngineState(
            status=EngineStatus.FAILED,
            options=session.engine_state.options,
            error=messages.of_error(error),
        )
    )
    [card] = window.chat.messages.cards
    click(next(b for b in card.findChildren(QPushButton) if b.text() == "Engine settings…"))
    dialog = next(d for d in window.findChildren(EngineDialog) if d.isVisible())
    assert dialog.torch.device.currentText() == "CUDA"
    dialog.torch.device.setFocus()
    QTest.keyClicks(dialog.torch.device, "CPU")
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert last_load(session).device == "cpu"


def test_gpu_layers_are_off_with_the_reason_where_there_is_no_gpu(
    window: MainWindow, session: FakeSession
) -> None:
    session.become_ready(loaded_model(notices=(Notice(code=NoticeCode.GPU_NOT_IN_BUILD),)))
    dialog = open_settings(window)
    assert not dialog.llama.gpu_layers.isEnabled()
    assert "built for the CPU only" in dialog.llama.gpu_layers.accessibleDescription()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (NoticeCode.GPU_NOT_IN_TORCH, "built without"),
        (NoticeCode.GPU_NOT_READY, "could not use the GPU"),
        (NoticeCode.GPU_TOO_SMALL, "too little free memory"),
    ],
)
def test_torch_says_why_a_gpu_is_not_used(
    window: MainWindow, session: FakeSession, code: NoticeCode, words: str
) -> None:
    session.load(ON_TORCH)
    session.become_ready(on_torch(Notice(code=code)))
    dialog = open_settings(window)
    assert words in dialog.torch.device.accessibleDescription()
    assert dialog.torch.device.isEnabled()
