"""Which models were opened lately."""

from PySide6.QtCore import QSettings

from ui.recent_models import RecentModels


def test_a_model_that_is_opened_again_comes_first(settings: QSettings) -> None:
    recent = RecentModels(settings)
    for path in ("/a.gguf", "/b.gguf", "/a.gguf"):
        recent.add(path)
    assert recent.paths() == ["/a.gguf", "/b.gguf"]


def test_a_list_of_one_is_read_back_from_the_file(settings: QSettings) -> None:
    RecentModels(settings).add("/a.gguf")
    settings.sync()
    again = QSettings(settings.fileName(), QSettings.Format.IniFormat)
    assert RecentModels(again).paths() == ["/a.gguf"]


def test_the_last_eight_are_kept_whether_or_not_they_can_be_reached(settings: QSettings) -> None:
    recent = RecentModels(settings)
    for number in range(10):
        recent.add(f"/not/mounted/{number}.gguf")
    assert recent.paths() == [f"/not/mounted/{number}.gguf" for number in range(9, 1, -1)]
