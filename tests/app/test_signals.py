import subprocess
import sys


def test_a_hundred_thousand_signals_do_no_harm() -> None:
    """PySide6 6.12 on Python 3.11 loses a reference to True at each emit, and dies of it."""
    code = """
import sys
from PySide6.QtCore import QObject, Signal
class Sender(QObject):
    sent = Signal(object)
received = []
sender = Sender()
sender.sent.connect(lambda value: received.append(value) or received.clear())
before = sys.getrefcount(True)
for number in range(100_000):
    sender.sent.emit(True)
assert not received
assert sys.version_info >= (3, 12) or sys.getrefcount(True) > before - 1_000, "references lost"
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
