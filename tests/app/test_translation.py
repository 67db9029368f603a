import ast
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, Qt, QTranslator
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QWidget
from pytestqt.qtbot import QtBot

import env_translations
import main
from app.engine_state import EngineStatus
from app.paths import app_paths
from app.transcript import Answer
from app.translation import Translation
from engine.backends.scripted import Script
from engine.values import Dtype, LoadOptions
from tests.screen import shows, texts
from tests.waiting import WAIT_MS
from ui.panels.column import TelemetryColumn

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "resources" / "translations"
LANGUAGES = ("en", "fr")
NARROW = "\u202f"
NO_BREAK = "\u00a0"

Speak = Callable[[str], Translation]
OpenWindow = Callable[[str], main.WindowApplication]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    context: str
    source: str
    forms: tuple[str, ...]
    has_plurals: bool
    state: str | None


def messages(path: Path) -> list[Message]:
    found = []
    for context in ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            has_plurals = message.get("numerus") == "yes"
            forms = [form.text or "" for form in translation.iter("numerusform")]
            found.append(
                Message(
                    context=context.findtext("name", ""),
                    source=message.findtext("source", ""),
                    forms=tuple(forms) if has_plurals else (translation.text or "",),
                    has_plurals=has_plurals,
                    state=translation.get("type"),
                )
            )
    return found


FRENCH = messages(FOLDER / "oscillama_fr.ts")


@pytest.fixture
def speak(qapp: QApplication) -> Iterator[Speak]:
    """Makes the application speak the language of a locale."""
    made: list[Translation] = []

    def speak(locale: str) -> Translation:
        made.append(Translation(qapp, FOLDER, QLocale(locale)))
        return made[-1]

    yield speak
    for translation in reversed(made):
        translation.close()


class TestFiles:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_string_of_the_sources_is_translated(self, language: str, tmp_path: Path) -> None:
        committed = FOLDER / f"oscillama_{language}.ts"
        path = tmp_path / committed.name
        path.write_bytes(committed.read_bytes())

        env_translations.update(path, language, keeps_obsolete=True)

        left = [message for message in messages(path) if message.state or not all(message.forms)]
        assert left == [], "run make translations, and translate what it finds"

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_what_the_window_reads_is_what_was_translated(
        self, language: str, tmp_path: Path
    ) -> None:
        target = tmp_path / "compiled.qm"
        env_translations.compile_to(FOLDER / f"oscillama_{language}.ts", target)
        committed = FOLDER / f"oscillama_{language}.qm"
        assert target.read_bytes() == committed.read_bytes(), "run make translations"

    def test_every_string_is_found_in_its_context(self) -> None:
        known = {(message.context, message.source) for message in FRENCH}
        paths = [*(ROOT / "app").rglob("*.py"), *(ROOT / "ui").rglob("*.py")]
        asked = [call for path in paths for call in _calls(path)]
        assert len(asked) > 300
        assert [call for call in asked if call not in known] == []

    def test_strings_that_came_and_went_are_noticed(self, tmp_path: Path) -> None:
        text = (FOLDER / "oscillama_fr.ts").read_text("utf-8")
        path = tmp_path / "oscillama_fr.ts"
        path.write_text(text.replace("<source>Try again<", "<source>Quite different<"), "utf-8")

        env_translations.update(path, "fr", keeps_obsolete=True)

        noticed = {message.source: message.state for message in messages(path) if message.state}
        assert noticed == {"Try again": "unfinished", "Quite different": "vanished"}


class TestFrench:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_places_for_values_are_those_of_the_source(self, language: str) -> None:
        wrong = [
            (message.source, form)
            for message in messages(FOLDER / f"oscillama_{language}.ts")
            for form in message.forms
            if _places(form) != _places(message.source)
        ]
        assert wrong == []

    def test_counted_things_have_a_form_for_one_and_one_for_many(self) -> None:
        for message in FRENCH:
            assert message.has_plurals == (re.search("%L?n", message.source) is not None)
            assert len(message.forms) == (2 if message.has_plurals else 1)

    def test_it_is_set_as_french_is(self) -> None:
        wrong = [
            form
            for message in FRENCH
            for form in message.forms
            if "'" in form
            or re.search(rf"[^{NARROW}][;!?%](?!L?n)|[^{NARROW}]:(?!//)|[“”]", form)
            or re.search(rf"«[^{NO_BREAK}]|[^{NO_BREAK}]»", form)
        ]
        assert [form for form in wrong if form != "%"] == []

    def test_space_at_the_ends_is_kept(self) -> None:
        def ends(text: str) -> tuple[int, int]:
            return len(text) - len(text.lstrip()), len(text) - len(text.rstrip())

        for message in FRENCH:
            for form in message.forms:
                assert ends(form) == ends(message.source)


class TestLanguages:
    @pytest.mark.parametrize(
        ("locale", "n", "text"),
        [
            ("en_US", 1, "1 token"),
            ("en_US", 0, "0 tokens"),
            ("en_US", 8192, "8,192 tokens"),
            ("de_DE", 1, "1 token"),
            ("de_DE", 8192, "8.192 tokens"),
            ("fr_FR", 0, "0 jeton"),
            ("fr_FR", 1, "1 jeton"),
            ("fr_FR", 8192, f"8{NARROW}192 jetons"),
            ("fr_CA", 2, "2 jetons"),
        ],
    )
    def test_one_token_is_no_plural(self, speak: Speak, locale: str, n: int, text: str) -> None:
        speak(locale)
        assert QCoreApplication.translate("_Counts", "%Ln tokens", None, n) == text

    def test_closing_ends_it(self, speak: Speak) -> None:
        french = speak("fr_FR")
        assert QCoreApplication.translate("Actions", "Stop") == "Arrêter"
        assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Annuler"
        french.close()
        assert QCoreApplication.translate("Actions", "Stop") == "Stop"
        assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Cancel"


class Marker(QTranslator):
    """A language in which every word is marked."""

    def isEmpty(self) -> bool:
        return False

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str:
        return f"⟦{source}⟧"


class TestWindow:
    @pytest.fixture
    def open_window(self, qapp: QApplication, qtbot: QtBot) -> Iterator[OpenWindow]:
        """Opens the real window in a language, with a scripted model that has answered once."""
        opened: list[main.WindowApplication] = []

        def open_it(locale: str) -> main.WindowApplication:
            options = LoadOptions(model_path=Script(tok_per_s=200).path(), backend="scripted")
            application = main.WindowApplication(
                qapp, app_paths(), main.engine_starter(app_paths()), options, locale=QLocale(locale)
            )
            opened.append(application)
            window, session = application.window, application.session
            window.resize(1280, 800)
            application.show()
            qtbot.waitUntil(
                lambda: (
                    window.columns.telemetry is not None
                    and session.engine_state.status is EngineStatus.READY
                ),
                timeout=WAIT_MS,
            )
            QTest.keyClicks(window.chat.composer.field, "Bonjour")
            QTest.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
            answer = session.current_chat.turns[-1]
            assert isinstance(answer, Answer)
            qtbot.waitUntil(lambda: answer.phase.is_over, timeout=WAIT_MS)
            qtbot.waitUntil(lambda: shows(window, "TTFT"), timeout=WAIT_MS)
            qtbot.waitUntil(lambda: window.chat.view.is_settled, timeout=WAIT_MS)
            return application

        yield open_it
        for application in opened:
            application.window.close()
            application.close()
            application.window.deleteLater()
        # What other threads have said is heard while those who listen are there.
        qapp.processEvents()

    def test_it_speaks_french(self, open_window: OpenWindow, qtbot: QtBot) -> None:
        application = open_window("fr_FR")
        window = application.window

        for words in ("Nouveau chat", "Envoyer", "Panneaux", "En direct", "L’essentiel"):
            assert shows(window, words)
        keys = window.actions_.focus.shortcut()
        assert keys.toString(QKeySequence.SequenceFormat.NativeText) == "Ctrl+Maj+F"
        qtbot.waitUntil(lambda: shows(window, "terminée · TTFT "), timeout=WAIT_MS)
        line = next(text for text in texts(window) if "TTFT" in text).replace("\n", " · ")
        assert re.search(rf" · \d+(,\d+)?{NARROW}jetons/s · \d+ jetons · contexte ", line)
        assert line.endswith(f" / 8{NARROW}192")
        column = window.columns.telemetry
        assert isinstance(column, TelemetryColumn)
        rate = next(panel for panel in column.panels if panel.key == "decode_rate")
        assert rate.title() == "Débit de décodage"
        assert rate.header.value.unit == "jetons/s"
        memory = next(panel for panel in column.panels if panel.key == "memory")
        assert memory.read().value.unit in ("Mio", "Gio")

    def test_nothing_is_left_in_english(
        self,
        qapp: QApplication,
        open_window: OpenWindow,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """What a language marks is all that can be read, but for names."""
        marker = Marker()
        install = Translation.__init__

        def install_marker(
            translation: Translation,
            application: QCoreApplication,
            folder: Path,
            locale: QLocale,
        ) -> None:
            install(translation, application, folder, locale)
            application.installTranslator(marker)

        monkeypatch.setattr(Translation, "__init__", install_marker)
        try:
            window = open_window("en_US").window
            window.show_engine_settings()
            window.actions_.shortcuts.trigger()
            window.actions_.about.trigger()
            assert len([d for d in window.findChildren(QDialog) if d.isVisible()]) == 3
            unmarked = {text for text in _readable(window) if "⟦" not in text}
        finally:
            qapp.removeTranslator(marker)

        script = Script(tok_per_s=200).answer.splitlines()
        names = {"Scripted  Q4_1", "scripted · script", "Bonjour", *script}
        names |= {"f16", "q8_0", "q4_0", f"Oscillama {qapp.applicationVersion()}"}
        names |= {"llama.cpp", "PyTorch", "scripted", "CPU", "CUDA", "MPS", "XPU"}
        names |= {dtype.value for dtype in Dtype}
        assert unmarked - names == set()


def _calls(path: Path) -> list[tuple[str, str]]:
    """Context and text of every call that translates; it fails on one that cannot be collected."""
    found: list[tuple[str, str]] = []

    def visit(node: ast.AST, class_name: str) -> None:
        if isinstance(node, ast.ClassDef):
            class_name = node.name
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name.rpartition(".")[2] == "tr":
                assert name == "self.tr", f"{path}:{node.lineno}: tr of something else"
                found.append((class_name, _literal(node.args[0], path)))
            elif name in ("translate", "QCoreApplication.translate"):
                found.append((_literal(node.args[0], path), _literal(node.args[1], path)))
        for child in ast.iter_child_nodes(node):
            visit(child, class_name)

    visit(ast.parse(path.read_text("utf-8")), "")
    return found


def _literal(node: ast.expr, path: Path) -> str:
    assert isinstance(node, ast.Constant), f"{path}:{node.lineno}: not a literal"
    assert isinstance(node.value, str)
    return node.value


def _places(text: str) -> list[str]:
    return sorted(re.findall(r"\{\w*\}|%L?n|%L?\d", text))


def _readable(window: QWidget) -> set[str]:
    """What can be seen, hovered or heard, and has letters."""
    found: list[str] = []
    for widget in [window, *window.findChildren(QWidget)]:
        found += [widget.toolTip(), widget.accessibleName(), widget.accessibleDescription()]
        found += [widget.windowTitle()]
        for name in ("text", "placeholderText", "plainText", "specialValueText", "title"):
            value = widget.property(name)
            found += [value] if isinstance(value, str) else []
        if isinstance(widget, QComboBox):
            found += [widget.itemText(index) for index in range(widget.count())]
        found += [action.text() for action in widget.findChildren(QAction)]
    column = window.findChild(TelemetryColumn)
    assert column is not None
    for panel in column.panels:
        found += [panel.title(), panel.definition(), panel.empty_text(), panel.absence()]
        found += [panel.read().context, panel.read().value.unit]
    return {text for text in found if re.search(r"[^\W\d_]", text)}
