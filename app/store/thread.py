"""The thread that alone reads and writes the database."""

import logging
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue

from PySide6.QtCore import QObject, QThread, Signal

from app.store.database import (
    DamagedDatabaseError,
    Database,
    ReplacedDatabaseError,
    fault_of,
    is_of_the_content,
    move_aside,
    name_beside,
)
from app.store.orders import Ask, Close, Job, Order, Question, Write
from app.store.records import FaultCode, FolderRecord, StoreFault
from app.store.schema import NewerDatabaseError
from app.store.unwritten import Unwritten

_log = logging.getLogger(__name__)

_RETRY_S = 3.0
_CHECK_AFTER_S = 10.0
# Between two slices of what a migration left to do, so that the window has the processor too.
_FILL_PAUSE_S = 0.03


class StoreThread(QThread):
    """Opens the database and serves it until `close`.

    What cannot be written is kept in memory and tried again, every few seconds and with all
    that comes, so that nothing is lost while the application runs. Of several writes with one
    key the last counts, in the place of the first. What can never be written is left out, so
    that the rest is. A file that SQLite cannot read is moved aside, never written over.

    The public methods may be called from any thread and never block, save `close`.

    Signals:
        opened(StoreContent): The database is open; what it has. Again after it was moved aside.
        answered(int, object): The answer to a question by its number; a StoreFault where it
            failed, and None where there is none.
        fault_changed(StoreFault | None): Writing fails for this reason; None when it works again.
        left_out(StoreFault): One thing cannot be written, whatever is tried; all else is.
        moved_aside(StoreFault): A corrupt file has another name now, its `path`.
        written_again(str): The file was deleted or moved away, and has been written once more.
    """

    opened = Signal(object)
    answered = Signal(int, object)
    fault_changed = Signal(object)
    left_out = Signal(object)
    moved_aside = Signal(object)
    written_again = Signal(str)

    def __init__(
        self,
        path: Path,
        *,
        open_database: Callable[[Path], Database] = Database,
        retry_s: float = _RETRY_S,
        check_after_s: float = _CHECK_AFTER_S,
        parent: QObject | None = None,
    ) -> None:
        """Prepare; `start` runs it.

        Args:
            path: The file.
            open_database: Opens it.
            retry_s: How long to wait before what failed is tried again.
            check_after_s: How long nothing must be asked for before the file is looked through
                for damage, once.
            parent: Owner.
        """
        super().__init__(parent)
        self.setObjectName("store")
        self._path = path
        self._open_database = open_database
        self._retry_s = retry_s
        self._check_after_s = check_after_s
        self._orders: SimpleQueue[Order] = SimpleQueue()
        self._numbers = count(1)
        self._latest = 0
        self._unwritten = Unwritten()
        # Below: touched by the running thread only.
        self._database: Database | None = None
        # Where nothing can be written, what is there is read all the same.
        self._reader: Database | None = None
        self._unsaved: dict[str, Write] = {}
        self._told_of: set[str] = set()
        self._fault: StoreFault | None = None
        self._is_checked = False
        self._is_filled = False
        self._closing = False

    def write(self, key: str, job: Job, *, durable: bool = True) -> None:
        """Run `job` on the database, in order; one with the same key that waits is replaced."""
        number = next(self._numbers)
        if durable:
            self._unwritten.add(key, number)
        self._orders.put(Write(number=number, key=key, job=job, durable=durable))

    def loses_something(self) -> bool:
        """Whether what was to be durable is not written yet."""
        return bool(self._unwritten)

    def ask(self, question: Question, *, replaceable: bool = False) -> int:
        """Read from the database, after all writes ordered before; returns the question's number.

        Of replaceable questions only the newest is answered.
        """
        number = next(self._numbers)
        if replaceable:
            self._latest = number
        self._orders.put(Ask(number=number, question=question, replaceable=replaceable))
        return number

    def close(self) -> None:
        """Write what is left, close the file and join the thread. Blocks until then."""
        if self.isRunning():
            self._orders.put(Close())
            self.wait()

    def run(self) -> None:
        """Serve until `close`."""
        try:
            self._survive(self._open)
            while not self._closing:
                questions = self._take_orders()
                self._survive(self._flush)
                for question in questions:
                    self._survive(partial(self._answer, question))
        finally:
            is_replaced = self._fault is not None and self._fault.code is FaultCode.REPLACED
            if is_replaced and self._database is not None:
                self._survive(partial(self._save_beside, self._database))
            self._let_go()
            self._close_reader()

    def _survive(self, step: Callable[[], None]) -> None:
        """Whatever goes wrong in a step is said, and the thread goes on: its boundary."""
        try:
            step()
        except Exception as error:  # noqa: BLE001 - a thread that ends here saves nothing more
            _log.exception("the store of conversations failed")
            self._give_up_transaction()
            self._set_fault(fault_of(error, self._path))

    def _take_orders(self) -> list[Ask]:
        """Wait for orders and take all there are, so that they share a transaction."""
        is_stuck = bool(self._unsaved) or self._database is None or self._fault is not None
        pause_s = self._retry_s if is_stuck else self._pause_s()
        questions: list[Ask] = []
        order: Order | None = None
        try:
            order = self._orders.get(timeout=pause_s)
            while True:
                match order:
                    case Write():
                        waiting = self._unsaved.get(order.key)
                        durable = order.durable or (waiting is not None and waiting.durable)
                        self._unsaved[order.key] = replace(order, durable=durable)
                    case Ask():
                        questions.append(order)
                    case Close():
                        self._closing = True
                order = self._orders.get_nowait()
        except Empty:
            if order is None and not is_stuck:
                self._survive(self._check if self._is_filled else self._fill)
            return questions

    def _pause_s(self) -> float | None:
        """How long nothing must be asked for before there is something else to do."""
        if not self._is_filled:
            return _FILL_PAUSE_S
        return None if self._is_checked else self._check_after_s

    def _fill(self) -> None:
        """Do a little of what a migration left to do. Search does without it, so slower."""
        try:
            if self._database is not None and not self._database.is_filled():
                self._database.fill()
                return
        except sqlite3.Error as error:
            _log.warning("the index of text without spaces is not filled: %s", error)
        self._is_filled = True

    def _check(self) -> None:
        self._is_checked = True
        try:
            if self._database is not None and not self._database.is_sound():
                self._replace_file(fault_of(DamagedDatabaseError("quick_check"), self._path))
        except sqlite3.Error as error:
            fault = fault_of(error, self._path)
            if fault.code is FaultCode.CORRUPT:
                self._replace_file(fault)
            else:
                _log.warning("the database could not be looked through: %s", error)

    def _open(self) -> None:
        try:
            self._database = self._open_database(self._path)
            self.opened.emit(self._database.content())
        except (sqlite3.Error, OSError, NewerDatabaseError) as error:
            self._let_go()
            if self._can_read(error):
                self._set_fault(replace(fault_of(error, self._path), code=FaultCode.READ_ONLY))
            else:
                self._on_fault(error)
        except Exception:
            self._let_go()
            raise
        else:
            self._close_reader()
            self._is_filled = False
            self._set_fault(None)

    def _can_read(self, error: Exception) -> bool:
        """Whether the file can be read at least; what it has is told once."""
        if fault_of(error, self._path).code not in (FaultCode.READ_ONLY, FaultCode.UNREACHABLE):
            return False
        if self._reader is None:
            try:
                self._reader = Database(self._path, reads_only=True)
                self.opened.emit(self._reader.content())
            except (sqlite3.Error, OSError, NewerDatabaseError):
                self._close_reader()
        return self._reader is not None

    def _flush(self) -> None:
        if self._database is None:
            self._open()
        if self._database is None or not self._is_in_place(self._database):
            return
        if not self._unsaved and self._fault is None:
            return
        try:
            while not self._write_all(self._database):
                self._database.rollback()
        except sqlite3.Error as error:
            self._give_up_transaction()
            self._on_fault(error)
        else:
            self._unsaved.clear()
            self._set_fault(None)

    def _write_all(self, database: Database) -> bool:
        """Write all there is in one transaction, unless one of it cannot be written, ever."""
        writes = list(self._unsaved.values())
        database.begin(durable=any(write.durable for write in writes))
        for write in writes:
            try:
                write.job(database)
            except Exception as error:
                if not is_of_the_content(error):
                    raise
                self._leave_out(write.key, error)
                return False
        database.commit()
        for write in writes:
            self._unwritten.remove(write.key, write.number)
        return True

    def _leave_out(self, key: str, error: Exception) -> None:
        _log.error("%s cannot be written", key, exc_info=error)
        self._unwritten.remove(key, self._unsaved.pop(key).number)
        # An answer that streams comes every second.
        if key not in self._told_of:
            self._told_of.add(key)
            self.left_out.emit(fault_of(error, self._path))

    def _is_in_place(self, database: Database) -> bool:
        try:
            if not database.keep_in_place():
                return True
        except (sqlite3.Error, OSError, ReplacedDatabaseError) as error:
            self._set_fault(fault_of(error, self._path))
            return False
        self._let_go()
        self.written_again.emit(str(self._path))
        self._open()
        return self._database is not None

    def _save_beside(self, database: Database) -> None:
        """Before another file's place is left to it, keep what was written here."""
        target = name_beside(self._path, "kept", datetime.now().astimezone())
        try:
            database.begin(durable=True)
            for write in self._unsaved.values():
                write.job(database)
            database.commit()
            database.copy_to(target)
        except (sqlite3.Error, OSError) as error:
            _log.warning("conversations could not be kept as %s: %s", target, error)

    def _give_up_transaction(self) -> None:
        try:
            if self._database is not None:
                self._database.rollback()
        except sqlite3.Error:
            # A connection that cannot even go back is of no use.
            self._let_go()

    def _answer(self, question: Ask) -> None:
        answer: object = None
        is_wanted = not question.replaceable or question.number == self._latest
        database = self._database if self._database is not None else self._reader
        if database is not None and is_wanted:
            try:
                answer = question.question(database)
            except Exception as error:  # noqa: BLE001 - whoever asked is told of any failure
                _log.warning("a question to the database failed", exc_info=error)
                answer = fault_of(error, self._path)
        elif is_wanted:
            answer = self._fault or StoreFault(
                code=FaultCode.FAILED, path=str(self._path), technical="the file is not open"
            )
        self.answered.emit(question.number, answer)
        if isinstance(answer, StoreFault) and database is self._database:
            self._give_up_transaction()
            if answer.code is FaultCode.CORRUPT:
                self._replace_file(answer)

    def _on_fault(self, error: Exception) -> None:
        fault = fault_of(error, self._path)
        if fault.code is FaultCode.CORRUPT:
            self._replace_file(fault)
        else:
            self._set_fault(fault)

    def _replace_file(self, fault: StoreFault) -> None:
        """Put a corrupt file out of the way and begin a new one with what can still be read."""
        rescued = self._database.rescue() if self._database is not None else []
        folders = sorted({chat.folder for chat, _ in rescued if chat.folder})
        self._let_go()
        self._is_checked = True
        try:
            moved = move_aside(self._path, datetime.now().astimezone())
        except OSError as error:
            self._set_fault(replace(fault, technical=f"{fault.technical}\n{error}"))
            return
        self.moved_aside.emit(replace(fault, path=str(moved), n_rescued=len(rescued)))
        try:
            self._database = self._open_database(self._path)
            self._database.begin(durable=True)
            self._database.add_folders([FolderRecord(name=name) for name in folders])
            for chat, messages in rescued:
                self._database.save_chat(chat)
                self._database.save_messages(chat.chat_id, messages)
            self._database.commit()
            self.opened.emit(self._database.content())
        except (sqlite3.Error, OSError) as error:
            self._let_go()
            self._set_fault(fault_of(error, self._path))

    def _set_fault(self, fault: StoreFault | None) -> None:
        if (fault and fault.code) != (self._fault and self._fault.code):
            self.fault_changed.emit(fault)
        self._fault = fault

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _let_go(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None
