"""torch is installed by a real child process; only pip pretends."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.actions import Action
from app.messages import UserMessage
from app.torch_install import InstallProgress, InstallStage, TorchInstall
from tests.torch_tree import TorchTree
from tests.waiting import WAIT_MS


@pytest.fixture
def tree(tmp_path: Path) -> TorchTree:
    return TorchTree(tmp_path)


@pytest.fixture
def install(tree: TorchTree, qtbot: QtBot) -> Iterator[TorchInstall]:
    made = TorchInstall(tree.root, python=tree.python, environment=str(tree.venv))
    yield made
    made.close()


def use_pip(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.setenv("FAKE_PIP", how)


def start_until(install: TorchInstall, stage: InstallStage, qtbot: QtBot) -> InstallProgress:
    def is_there(progress: InstallProgress) -> bool:
        is_known = stage is not InstallStage.DOWNLOAD or progress.fraction is not None
        return progress.stage is stage and is_known

    with qtbot.waitSignal(install.progressed, timeout=WAIT_MS, check_params_cb=is_there) as heard:
        install.start()
    assert heard.args is not None
    progress = heard.args[0]
    assert isinstance(progress, InstallProgress)
    return progress


def failure(install: TorchInstall, qtbot: QtBot) -> UserMessage:
    with qtbot.waitSignal(install.failed, timeout=WAIT_MS) as heard:
        install.start()
    assert heard.args is not None
    message = heard.args[0]
    assert isinstance(message, UserMessage)
    return message


def test_it_is_installed(
    install: TorchInstall, tree: TorchTree, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_pip(monkeypatch, "works")
    stages: list[InstallStage] = []
    install.progressed.connect(lambda progress: stages.append(progress.stage))

    with qtbot.waitSignal(install.installed, timeout=WAIT_MS):
        install.start()

    assert stages[0] is InstallStage.PREPARE
    assert not install.is_running
    assert tree.missing("torch") == []


def test_it_says_which_package_and_how_much(
    install: TorchInstall, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_pip(monkeypatch, "hang in download")

    progress = start_until(install, InstallStage.DOWNLOAD, qtbot)

    assert progress.package == "torch"
    assert (progress.done_bytes, progress.total_bytes) == (4_000_000, 8_000_000)
    assert progress.fraction == 0.5


@pytest.mark.parametrize("stage", [InstallStage.DOWNLOAD, InstallStage.INSTALL])
def test_stopped_it_leaves_everything_as_it_was(
    install: TorchInstall,
    tree: TorchTree,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    stage: InstallStage,
) -> None:
    use_pip(monkeypatch, f"hang in {stage.value}")
    start_until(install, stage, qtbot)

    with qtbot.waitSignal(install.cancelled, timeout=WAIT_MS):
        install.cancel()
        assert install.is_stopping

    assert not install.is_running
    assert not tree.pip_runs()
    assert tree.packages() == set()
    assert tree.missing("run", "torch") == ["torch"]


def test_after_a_stop_it_can_begin_again(
    install: TorchInstall, tree: TorchTree, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_pip(monkeypatch, "hang in download")
    start_until(install, InstallStage.DOWNLOAD, qtbot)
    with qtbot.waitSignal(install.cancelled, timeout=WAIT_MS):
        install.cancel()

    use_pip(monkeypatch, "works")
    with qtbot.waitSignal(install.installed, timeout=WAIT_MS):
        install.start()

    assert tree.missing("torch") == []


def test_closing_ends_it_and_waits(
    install: TorchInstall, tree: TorchTree, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_pip(monkeypatch, "hang in install")
    start_until(install, InstallStage.INSTALL, qtbot)

    install.close()

    assert not install.is_running
    assert not tree.pip_runs()
    assert tree.packages() == set()


@pytest.mark.parametrize(
    ("how", "words"), [("disk full", "Free some space"), ("no network", "Check the network")]
)
def test_a_failure_is_a_sentence_with_what_to_do(
    install: TorchInstall, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, how: str, words: str
) -> None:
    use_pip(monkeypatch, how)

    message = failure(install, qtbot)

    assert words in message.text
    assert message.actions == (Action.RETRY,)
    assert "Collecting torch==2.13.0" in message.technical


def test_a_python_that_does_not_start_is_a_failure(tree: TorchTree, qtbot: QtBot) -> None:
    install = TorchInstall(tree.root, python=str(tree.root / "gone"), environment=str(tree.venv))

    assert failure(install, qtbot).technical


def test_an_installer_that_says_nonsense_is_a_failure_with_its_words(
    install: TorchInstall, tree: TorchTree, qtbot: QtBot
) -> None:
    tree.bootstrap.write_text("print('[1]\\n{\"stage\": 3}\\nnonsense'); raise SystemExit(3)")

    assert "nonsense" in failure(install, qtbot).technical


class TestCommand:
    @pytest.mark.skipif(sys.platform == "win32", reason="there is no make")
    def test_in_a_checkout_it_is_make(self, install: TorchInstall, tree: TorchTree) -> None:
        (tree.root / "Makefile").touch()
        assert install.can_install
        assert install.command == "make run TORCH=1"

    def test_another_environment_gets_pip_with_the_lock_file(
        self, tree: TorchTree, tmp_path: Path
    ) -> None:
        install = TorchInstall(tree.root, python="/opt/py", environment=str(tmp_path / "other"))
        assert not install.can_install
        lock = tree.root / "requirements-torch.lock"
        assert install.command == f"/opt/py -m pip install --requirement {lock}"

    def test_without_the_checkout_it_names_the_packages(self, tree: TorchTree) -> None:
        shutil.rmtree(tree.root / ".ci")
        (tree.root / "requirements-torch.lock").unlink()
        install = TorchInstall(tree.root, python="/opt/py", environment=str(tree.venv))
        assert not install.can_install
        assert install.command.startswith("/opt/py -m pip install torch 'transformers>=5' ")
