"""The panels that explain: the cells of the KV cache, and the map of memory."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.kv_cells import kv_facts
from app.memory_map import Part, memory_maps
from app.telemetry import TelemetryStore
from engine.events import CellKind, CellsFound, CellSpan, Loaded
from engine.samples import GpuAbsence
from engine.values import KvGroup, KvLayout, MemoryUse
from tests.app.test_memory_map import GPU, MEMORY, ON_GPU, SAMPLE
from tests.app.test_telemetry import MS, Clock, S, answer, finished, loaded, predicted_load
from tests.waiting import WAIT_MS
from ui.format import UNKNOWN
from ui.panels.column import TelemetryColumn
from ui.panels.dock_area import PanelArea
from ui.panels.explain.cell_grid import CellGrid, raster
from ui.panels.explain.halves import Halves
from ui.panels.explain.kv_view import KvView
from ui.panels.explain.kv_words import facts
from ui.panels.explain.map_view import DeviceBlock, MapView, part_name
from ui.panels.explain.view import ExplainView
from ui.panels.kv_seen import KvSeenPanel
from ui.panels.look import PanelLook
from ui.panels.memory_map import MemoryMapPanel
from ui.panels.time_axis import TimeAxis
from ui.theme import Theme

CELLS = (
    CellSpan(kind=CellKind.SYSTEM, number=1, begin=0, end=10),
    CellSpan(kind=CellKind.TEMPLATE, begin=10, end=14),
    CellSpan(kind=CellKind.USER, number=1, begin=14, end=96),
    CellSpan(kind=CellKind.TEMPLATE, begin=96, end=100),
)
# 30 layers of 3 KV heads of 64 numbers, as the starter model has.
STARTER = KvLayout(
    groups=(
        KvGroup(bytes_per_token=23_040, n_layers=30, n_kv_heads=3, k_head_size=64, v_head_size=64),
    ),
    fixed_bytes=0,
    reserved_bytes=23_040 * 8192,
    reserved_tokens=8192,
    type_name="f16",
    block_values=1,
    block_bytes=2,
)


class Scene:
    """Both panels, as they stand in the column."""

    def __init__(self, theme: Theme, qtbot: QtBot) -> None:
        self.store = TelemetryStore(Clock())
        axis = TimeAxis()
        self.kv_panel = KvSeenPanel(self.store, theme, axis)
        self.map_panel = MemoryMapPanel(self.store, theme, axis)
        self.area = PanelArea((self.kv_panel, self.map_panel))
        self.area.resize(400, 1600)
        qtbot.addWidget(self.area)
        with qtbot.waitExposed(self.area, timeout=WAIT_MS):
            self.area.show()

    def open(self) -> None:
        self.area.show_only(["kv_seen", "memory_map"])
        QApplication.processEvents()
        self.refresh()

    def refresh(self) -> None:
        for panel in (self.kv_panel, self.map_panel):
            panel.refresh_text()

    @property
    def kv(self) -> KvView:
        assert isinstance(self.kv_panel.view, KvView)
        return self.kv_panel.view

    @property
    def map(self) -> MapView:
        assert isinstance(self.map_panel.view, MapView)
        return self.map_panel.view

    def load(self, kv: KvLayout = STARTER, memory: MemoryUse = MEMORY) -> None:
        event = loaded(0, 60 * MS)
        model = replace(event.model, n_heads=9, n_kv_heads=3)
        predicted = replace(memory, compute_bytes=192 << 20)
        self.send(replace(event, model=model, kv=kv, memory=memory, predicted=predicted))

    def send(self, event: Loaded) -> None:
        self.store.on_events((event,))
        self.refresh()

    def answer(self) -> None:
        """6 tokens to 100, of which 60 were reused."""
        self.store.on_submitted(2, S)
        cells = CellsFound(request_id=2, t_ns=2 * S, cells=CELLS)
        self.store.on_events((*answer(2, S), finished(2, 2 * S), cells))
        self.refresh()

    def sample(self, **changes: object) -> None:
        sample = replace(SAMPLE, t_ns=2 * S, gpu_absence=GpuAbsence.NO_DRIVER)
        self.store.on_sample(replace(sample, **changes))  # type: ignore[arg-type] # named fields
        self.refresh()

    def point_at(self, x: int, y: int) -> None:
        """Move the pointer over the grid."""
        grid = self.kv.grid
        move = QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(x, y),
            grid.mapToGlobal(QPointF(x, y)),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(grid, move)

    def fact(self, name: str) -> tuple[str, str, str]:
        found = next(fact for fact in self.kv.facts.facts if fact.name == name)
        return found.value, found.formula.replace("\u00a0", " "), found.sentence

    def rows(self, block: DeviceBlock) -> dict[str, tuple[str, ...]]:
        return {row.name: row.values for row in block.table.rows}


@pytest.fixture
def scene(theme: Theme, qtbot: QtBot) -> Iterator[Scene]:
    scene = Scene(theme, qtbot)
    yield scene
    scene.area.close()


def test_views_are_made_when_their_panel_is_first_shown(scene: Scene) -> None:
    panels = (scene.kv_panel, scene.map_panel)
    assert [panel._view for panel in panels] == [None, None]
    scene.open()
    assert None not in [panel._view for panel in panels]
    assert scene.kv_panel.header.context == "Shows when a model is loaded"
    assert scene.kv.facts.facts == ()


def test_a_token_costs_what_the_formula_says(scene: Scene) -> None:
    scene.open()
    scene.load()
    scene.answer()
    scene.sample()
    value, formula, sentence = scene.fact("One more token")
    assert value == "22.5\u202fKiB"
    assert formula == "30 layers × 3 KV heads × 64 numbers × 2 (key, value) × 2 bytes (f16)"
    assert sentence.startswith("In each layer 9 attention heads")
    assert scene.fact("Used")[0] == "2.33\u202fMiB of 180\u202fMiB"
    assert scene.fact("The next 1,000 tokens")[0] == "22.0\u202fMiB"
    # The memory map has 14.5 GiB free, a conversation of 106 tokens takes 2.33 and a full one 180.
    value, _, sentence = scene.fact("Conversations that fit")
    assert value == "6,360"
    assert "14.5\u202fGiB that are free" in sentence
    assert "82 with a full context" in sentence
    assert str(scene.kv_panel.header.value) == "2.33\u202fMiB"
    assert scene.kv_panel.header.context == "of 180\u202fMiB  ·  106 of 8,192 tokens"


def test_the_pointer_and_the_keys_say_what_cells_hold(scene: Scene) -> None:
    scene.open()
    scene.load()
    scene.answer()
    grid, view = scene.kv.grid, scene.kv
    assert view.title.texts == ("What the cells hold", "1 square = 1 token = 22.5\u202fKiB")
    # 24 squares a row, of 15 pixels.
    scene.point_at(20 * 15 + 5, 5)
    assert view.reading.texts == (
        "Your message 1  ·  tokens 15 to 96  ·  1.80\u202fMiB",
        "partly reused",
    )
    scene.point_at(5, 5)
    assert view.reading.texts[0].startswith("System prompt  ·  tokens 1 to 10")
    QApplication.sendEvent(grid, QEvent(QEvent.Type.Leave))
    assert view.reading.texts[0].startswith("Point at a square")
    seen = []
    for _ in range(6):
        QTest.keyClick(grid, Qt.Key.Key_Right)
        seen.append((view.reading.texts[0].split("  ·")[0], view.reading.texts[1]))
    assert seen == [
        ("System prompt", "reused"),
        ("Marks between turns", "reused"),
        ("Your message 1", "partly reused"),
        ("Marks between turns", "read"),
        ("Answer 1", "written"),
        ("Answer 1", "written"),
    ]
    assert grid.accessibleDescription().startswith("Answer 1  ·  tokens 101 to 106")
    QTest.keyClick(grid, Qt.Key.Key_Left)
    assert view.reading.texts[0].startswith("Marks between turns  ·  tokens 97 to 100")


def test_what_was_reused_is_pale_and_counted(scene: Scene) -> None:
    scene.open()
    scene.load()
    scene.answer()
    view = scene.kv
    assert view.legend.texts == (
        "system prompt 10",
        "you 82",
        "answers 6",
        "marks between turns 8",
        "pale: reused",
        "empty 8,086",
    )
    assert view.request.texts == ("The last request", "60 of 100 prompt tokens reused")
    assert [segment.text for segment in view.bar.segments] == [
        "reused 60",
        "read 40",
        "written 6",
    ]
    picture: QImage = view.grid.grab().toImage()
    reused, read = (picture.pixelColor(*place) for place in ((19 * 15 + 5, 5), (22 * 15 + 5, 35)))
    assert read.saturation() > reused.saturation() + 40


def test_layers_with_a_window_and_a_state_are_told_apart(scene: Scene) -> None:
    sizes = {"n_kv_heads": 1, "k_head_size": 256, "v_head_size": 256}
    gemma = replace(
        STARTER,
        groups=(
            KvGroup(bytes_per_token=1088, n_layers=1, **sizes),
            KvGroup(bytes_per_token=5440, max_tokens=90, n_layers=5, **sizes),
        ),
        fixed_bytes=1 << 20,
        type_name="q8_0",
        block_values=32,
        block_bytes=34,
    )
    scene.open()
    scene.load(gemma)
    scene.answer()
    value, formula, sentence = scene.fact("One more token")
    assert value == "1.06\u202fKiB"
    assert formula.splitlines() == [
        "1 layer × 1 KV head × 256 numbers × 2 (key, value) × 34/32 bytes (q8_0)",
        "+ 5 layers × 1 KV head × 256 numbers × 2 (key, value) × 34/32 bytes (q8_0), "
        "the last 90 tokens only",
        "+ a state of 1.00\u202fMiB, the same at any length",
    ]
    assert "forget the oldest tokens" in sentence
    assert "q8_0 packs 32 numbers and their scale into 34 bytes." in sentence
    # The first 16 of 106 tokens are in one layer only.
    scene.point_at(5, 5)
    assert scene.kv.reading.texts[0].endswith("10.6\u202fKiB")


def test_a_recurrent_model_has_no_cells(scene: Scene) -> None:
    mamba = KvLayout(
        groups=(),
        fixed_bytes=19 << 20,
        reserved_bytes=19 << 20,
        reserved_tokens=8192,
        type_name="f16",
    )
    scene.open()
    scene.load(mamba)
    scene.answer()
    assert scene.kv.grid.isHidden()
    assert scene.kv.legend.texts == ()
    value, formula, _ = scene.fact("One more token")
    assert (value, formula) == ("0\u202fB", "a state of 19.0\u202fMiB, the same at any length")
    assert "folds all it has read into one state" in scene.fact("Used")[2]
    assert scene.fact("The next 1,000 tokens")[0] == "0\u202fB"


def test_a_layout_that_is_not_known_says_so(scene: Scene) -> None:
    odd = replace(STARTER, groups=(KvGroup(bytes_per_token=5000),))
    scene.open()
    scene.load(odd)
    _, formula, sentence = scene.fact("One more token")
    assert formula == "4.88\u202fKiB in all layers, as the engine reports it"
    assert "their layout is not known" in sentence


def test_a_latent_and_unequal_sizes_have_their_own_formula(scene: Scene) -> None:
    scene.open()
    group = replace(STARTER.groups[0], n_kv_heads=1, k_head_size=576, v_head_size=0)
    scene.load(replace(STARTER, groups=(group,)))
    assert "× 576 numbers for key and value together ×" in scene.fact("One more token")[1]
    group = replace(group, k_head_size=192, v_head_size=128)
    scene.load(replace(STARTER, groups=(group,)))
    assert "× (192 + 128) numbers of key and value ×" in scene.fact("One more token")[1]


def test_a_full_context_and_an_empty_one(scene: Scene) -> None:
    scene.open()
    scene.load(replace(STARTER, reserved_tokens=106))
    scene.sample()
    assert scene.fact("Conversations that fit")[0] == "82"
    scene.answer()
    assert scene.fact("The next tokens") == ("0\u202fB", "", "None: the context is full.")


@pytest.mark.parametrize(
    ("n_tokens", "pitch", "n_per_square"),
    [(0, 15, 1), (192, 15, 1), (193, 12, 1), (311, 10, 1), (690, 8, 1), (691, 8, 2), (8192, 8, 16)],
)
def test_squares_are_as_large_as_they_can_be(n_tokens: int, pitch: int, n_per_square: int) -> None:
    found = raster(372, 120, n_tokens)
    assert (found.pitch, found.n_per_square) == (pitch, n_per_square)
    n_squares = found.n_columns * (120 // found.pitch)
    assert n_squares * found.n_per_square >= n_tokens


@pytest.mark.parametrize(
    ("n_tokens", "is_reserved", "sentence"),
    [
        (
            106,
            True,
            "A few pages of text. The room for them is set aside already: the engine will not "
            "grow.",
        ),
        (106, False, "A few pages of text."),
        (8180, True, "The room for them is set aside already: the engine will not grow."),
        (8180, False, ""),
    ],
)
def test_what_the_next_tokens_take(n_tokens: int, is_reserved: bool, sentence: str) -> None:
    kv = replace(STARTER, is_reserved=is_reserved)
    model = replace(loaded(0, 0), kv=kv)
    used, _, following, _ = facts(model, kv_facts(model, n_tokens, None), is_told=True)
    assert following.sentence == sentence
    assert ("set aside" in used.sentence) == is_reserved
    assert "8,192 tokens" in used.sentence


def test_after_a_measurement_cells_are_shown_as_the_last_answer_left_them(scene: Scene) -> None:
    scene.open()
    scene.load()
    scene.store.lose_cells()
    scene.refresh()
    assert scene.kv_panel.header.value.number == UNKNOWN
    assert scene.fact("Used")[0] == f"{UNKNOWN} of 180\u202fMiB"
    assert scene.kv.reading.texts[0].startswith("Not known")
    scene.answer()
    used, held = scene.fact("Used")[0], scene.kv.grid.run_at(0)
    assert held is not None
    assert scene.kv.title.texts[0] == "What the cells hold"
    scene.store.lose_cells()
    scene.refresh()
    assert str(scene.kv_panel.header.value) in used
    assert scene.fact("Used")[0] == used
    assert scene.kv.grid.run_at(0) == held
    assert not scene.kv.request.isHidden()
    assert scene.kv.title.texts[0] == "What the cells held"
    assert scene.kv.whole.texts[1].endswith("was in use")
    assert "  ·  held " in scene.kv_panel.header.context
    assert scene.kv.reading.texts[0].startswith("A measurement used them since")


def test_a_view_on_the_full_screen_goes_on_while_its_panel_is_out_of_view(scene: Scene) -> None:
    scene.open()
    scene.load()
    body = scene.kv_panel.lend_body()
    body.setParent(None)
    body.resize(1200, 600)
    body.show()
    scene.kv_panel.hide()
    try:
        assert scene.kv.request.isHidden()
        scene.answer()
        assert not scene.kv.request.isHidden()
    finally:
        scene.kv_panel.take_body_back()


@pytest.mark.parametrize(("width", "is_beside"), [(1200, True), (500, False)])
def test_a_view_is_as_large_as_the_room_lets_it_be(
    scene: Scene, width: int, is_beside: bool
) -> None:
    scene.open()
    scene.load()
    scene.answer()
    scene.sample()
    for view in (scene.kv, scene.map):
        heights = {ratio: _fitted(view, ratio, width, 2000) for ratio in (1.0, 1.2, 2.0)}
        assert heights[1.0] < heights[1.2] <= heights[2.0] <= 2000
        assert 1.0 <= view.look.text < 2.0 or heights[2.0] > 1.3 * heights[1.0]
        _fitted(view, 2.0, width, 900)
        assert (view.height_at(width) <= 900) or view.look.text == 1.0
    _fitted(scene.kv, 1.0, width, 2000)
    scene.area.resize(width, 1600)
    QApplication.processEvents()
    (block,) = scene.kv.findChildren(Halves)
    assert block.is_beside == is_beside


def test_a_view_is_fitted_in_a_few_tries_and_only_where_something_changed(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.open()
    scene.load()
    scene.answer()
    scene.sample()
    looks: list[float] = []

    def note(look: PanelLook, take: Callable[[PanelLook], None] = scene.map.set_look) -> None:
        looks.append(look.text)
        take(look)

    monkeypatch.setattr(scene.map, "set_look", note)
    heights = [_fitted(scene.map, ratio, 500, 9000) for ratio in (1.0, 2.0)]
    looks.clear()
    room = sum(heights) // 2
    assert room * 0.9 < _fitted(scene.map, 2.0, 500, room) <= room
    assert len(looks) <= 8
    looks.clear()
    _fitted(scene.map, 2.0, 500, room)
    assert looks == []
    _fitted(scene.map, 2.0, 500, 20)
    assert looks == [2.0, 1.0]
    _fitted(scene.map, 2.0, 500, 20)
    assert looks == [2.0, 1.0]


def _fitted(view: ExplainView, ratio: float, width: int, height: int) -> int:
    view.fit(PanelLook(text=ratio, is_bounded=True), width, height)
    return view.height_at(width)


def test_the_head_and_the_view_tell_of_the_same_moment(scene: Scene) -> None:
    scene.open()
    scene.load()
    scene.sample()
    scene.store.on_submitted(2, S)
    assert scene.store.is_running
    for step in range(1, 8):
        sample = replace(SAMPLE, t_ns=2 * S + step, engine_rss_bytes=(400 + step) << 20)
        scene.store.on_sample(replace(sample, gpu_absence=GpuAbsence.NO_DRIVER))
        for panel in (scene.kv_panel, scene.map_panel):
            panel.refresh_text()
            panel.refresh_graph()
        (block,) = scene.map.blocks
        assert scene.rows(block)["Oscillama in all"][2] == str(scene.map_panel.header.value)


def test_the_empty_part_of_the_cache_is_told_and_drawn_to_scale(scene: Scene) -> None:
    scene.open()
    scene.load()
    scene.answer()
    view = scene.kv
    assert view.whole.texts == ("All of it, to scale", "1.3\u202f% in use")
    assert sum(segment.size for segment in view.whole_bar.segments) == 106
    assert view.whole_bar.text_at(view.whole_bar.width() * 0.5) == "empty 8,086"
    assert not view.undrawn.isHidden()
    # 24 squares in each of 8 rows.
    assert view.undrawn.texts == ("", "… and 8,000 more empty")
    scene.load(replace(STARTER, reserved_tokens=150))
    assert view.undrawn.isHidden()


def test_the_map_shows_every_part_of_the_machine(scene: Scene) -> None:
    scene.open()
    scene.sample(engine_pid=None, engine_rss_bytes=None, engine_file_bytes=None)
    (block,) = scene.map.blocks
    assert list(scene.rows(block)) == [
        "Rest of Oscillama",
        "Oscillama in all",
        "Other processes",
        "Free",
        "All of it",
    ]
    assert block.ours.isHidden()
    scene.load()
    scene.sample()
    assert scene.rows(block) == {
        "Weights": ("92.0\u202fMiB",) * 3,
        "KV cache": ("180\u202fMiB",) * 3,
        "Compute buffers": ("192\u202fMiB", "167\u202fMiB", "49.0\u202fMiB"),
        "Rest of Oscillama": ("", "", "173\u202fMiB"),
        "Oscillama in all": ("", "", "494\u202fMiB"),
        "Other processes": ("", "", "691\u202fMiB"),
        "Free": ("", "", "14.5\u202fGiB"),
        "All of it": ("", "", "15.6\u202fGiB"),
    }
    notes = {fact.name: fact.value for fact in block.notes.facts}
    assert notes == {
        "What the parts are": "",
        "Rest of Oscillama": "173\u202fMiB",
        "Reserved, not yet in memory": "118\u202fMiB",
        "Weights mapped from their file": "92.0\u202fMiB",
    }
    assert str(scene.map_panel.header.value) == "494\u202fMiB"
    assert scene.map_panel.header.context == "Oscillama, of 15.6\u202fGiB in this machine"


def test_while_a_model_loads_the_map_shows_what_is_expected(scene: Scene) -> None:
    scene.open()
    scene.sample()
    scene.store.on_events((predicted_load(0),))
    scene.map.refresh()
    (block,) = scene.map.blocks
    assert block.ours.isHidden()
    assert not block.predicted.isHidden()
    assert scene.rows(block)["KV cache"] == ("180\u202fB", UNKNOWN, UNKNOWN)


def test_a_sum_of_parts_that_are_not_all_known_is_none(scene: Scene) -> None:
    scene.open()
    scene.load()
    scene.sample()
    (block,) = scene.map.blocks
    assert block.predicted_title.texts[1] == "464\u202fMiB"
    scene.load(memory=replace(MEMORY, kv_bytes=None))
    assert block.predicted_title.texts[1] == UNKNOWN
    assert not block.predicted.isHidden()


def test_a_map_is_computed_once_for_the_panel_and_its_view(scene: Scene) -> None:
    scene.open()
    scene.load()
    memory_maps.cache_clear()
    scene.sample()
    assert memory_maps.cache_info().misses == 1


def test_a_bar_says_its_parts_under_the_pointer(scene: Scene) -> None:
    scene.open()
    scene.load()
    scene.sample()
    (block,) = scene.map.blocks
    assert block.predicted.text_at(1) == "Weights 92.0\u202fMiB"
    assert block.bar.text_at(block.bar.width() - 1) == f"{part_name(Part.FREE)} 14.5\u202fGiB"
    place = QPoint(block.ours.width() // 2, 4)
    help_event = QHelpEvent(QEvent.Type.ToolTip, place, block.ours.mapToGlobal(place))
    QApplication.sendEvent(block.ours, help_event)
    assert QToolTip.text() == "KV cache 180\u202fMiB"
    QToolTip.hideText()
    assert "KV cache 180\u202fMiB" in block.ours.accessibleDescription()


def test_a_gpu_has_a_block_of_its_own(scene: Scene) -> None:
    scene.open()
    scene.load(memory=ON_GPU)
    scene.sample(gpus=(GPU,), gpu_absence=None)
    machine, gpu = scene.map.blocks
    assert gpu.title.texts == ("Fake GPU", "4.88\u202fGiB free of 7.81\u202fGiB")
    assert scene.rows(gpu)["KV cache"][1:] == ("100\u202fMiB",) * 2
    assert "KV cache" not in scene.rows(machine)
    assert scene.map_panel.header.context == "Oscillama, of 7.81\u202fGiB in Fake GPU"
    scene.sample(gpus=(replace(GPU, process_memory_bytes=None),), gpu_absence=None)
    assert UNKNOWN in [values[2] for values in scene.rows(gpu).values()]
    assert scene.rows(gpu)["All of it"][2] == "7.81\u202fGiB"
    scene.sample(gpus=())
    assert gpu.isHidden()
    notes = {fact.name: fact.value for fact in machine.notes.facts}
    assert notes["On a GPU that is not measured"] == "550\u202fMiB"


def test_what_nobody_can_know_is_said(scene: Scene) -> None:
    scene.open()
    scene.load()
    event = scene.store.loaded
    assert event is not None
    torch = replace(ON_GPU, on_gpu=False)
    early = replace(torch, kv_bytes=None, compute_bytes=None)
    scene.send(replace(event, memory=torch, predicted=early))
    scene.sample()
    (block,) = scene.map.blocks
    told = {fact.name: fact for fact in block.notes.facts}
    assert told["Not predicted"].value == "KV cache, Compute buffers"
    assert "as answers need it" in told["Not predicted"].sentence
    scene.load(memory=ON_GPU)
    second = replace(GPU, index=1, process_memory_bytes=600 << 20)
    scene.sample(gpus=(GPU, second), gpu_absence=None)
    assert [block.title.texts[0] for block in scene.map.blocks[1:]] == [
        "Fake GPU #0",
        "Fake GPU #1",
    ]
    for block, value in zip(scene.map.blocks[1:], ("800", "600"), strict=True):
        (note,) = block.notes.facts
        assert note.name == "Spread over several GPUs"
        assert note.value == f"{value}\u202fMiB"
        whole = scene.rows(block)["All of it"][2]
        assert whole == "7.81\u202fGiB"


def test_before_anything_is_measured_it_says_when_it_shows(scene: Scene) -> None:
    scene.open()
    assert scene.map.blocks == []
    assert str(scene.map_panel.header.value) == UNKNOWN


def test_a_grid_that_shrinks_forgets_what_was_pointed_at(scene: Scene) -> None:
    scene.open()
    scene.load()
    scene.answer()
    grid: CellGrid = scene.kv.grid
    QTest.keyClick(grid, Qt.Key.Key_Left)
    assert scene.kv.reading.texts[0].startswith("Answer 1")
    scene.store.on_engine_process(0)
    scene.refresh()
    assert grid.run_at(0) is None
    grid.set_cells([], 10)
    assert scene.kv.reading.texts[0].startswith("Point at")
    assert grid.token_at(1, 1) == 0


def test_the_column_offers_both(theme: Theme, qtbot: QtBot) -> None:
    column = TelemetryColumn(TelemetryStore(Clock()), theme)
    qtbot.addWidget(column)
    offered = {action.text() for action in column.panel_actions() if action.isEnabled()}
    assert {"Inside the KV cache", "Memory map"} <= offered
    column.close()
