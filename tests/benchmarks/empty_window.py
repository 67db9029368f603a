"""Opens an empty Qt window and prints after how many seconds it is idle: what any start takes.

Usage: empty_window.py T_LAUNCH_NS
"""

import sys
import time

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

if __name__ == "__main__":
    application = QApplication([])
    window = QMainWindow()
    window.show()
    QTimer.singleShot(0, application.quit)
    application.exec()
    sys.stdout.write(f"{(time.perf_counter_ns() - int(sys.argv[1])) / 1e9}\n")
