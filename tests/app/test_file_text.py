"""Text and PDFs are read; what is neither is refused with the reason."""

import os
import sys
from pathlib import Path

import pytest

from app.attachments import MOST_BYTES, Attachment, AttachmentKind
from app.file_text import FileProblemError, Problem, read_file
from tests.pdfs import CATALOG, PAGES, stream, write_bomb, write_objects, write_pdf

PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>"


def read(path: Path) -> Attachment:
    return read_file(path, lambda _page, _n_pages: None)


def problem(path: Path) -> Problem:
    with pytest.raises(FileProblemError) as caught:
        read(path)
    return caught.value.problem


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("# Été\r\nligne\rfin".encode(), "utf-8"),
        ("# Été\nligne\nfin".encode("utf-8-sig"), "utf-8"),
        ("# Été\nligne\nfin".encode("utf-16"), "utf-16"),
        (b"\xfe\xff" + "# Été\nligne\nfin".encode("utf-16-be"), "utf-16"),
        ("# Été\nligne\nfin".encode("utf-32"), "utf-32"),
        ("# Été\nligne\nfin".encode("latin-1"), "windows-1252"),
    ],
)
def test_text_is_read_in_the_usual_encodings(tmp_path: Path, data: bytes, encoding: str) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes(data)
    assert read(path) == Attachment(
        name="notes.md", text="# Été\nligne\nfin", size_bytes=len(data), encoding=encoding
    )


def test_csv_is_text(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_bytes("Größe;Preis €\n1;2\n".encode("windows-1252"))
    assert read(path).text == "Größe;Preis €\n1;2\n"


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a", b"", Problem.EMPTY),
        ("a", b" \n\t", Problem.EMPTY),
        ("a", b"a\0b", Problem.NOT_TEXT),
        ("a", b"\x7fELF\x02\x01\x01\x00", Problem.NOT_TEXT),
        ("a", b"\xff\xfea", Problem.NOT_TEXT),
        ("a", "utf-16 without a mark".encode("utf-16-le"), Problem.NOT_TEXT),
        ("a", b"x" * (MOST_BYTES + 1), Problem.TOO_LARGE),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0", Problem.PICTURE),
        ("a.bmp", b"BM\x36\0\0\0", Problem.PICTURE),
        ("a.docx", b"PK\x03\x04\x14\0", Problem.OFFICE),
        ("a.zip", b"PK\x03\x04\x14\0", Problem.NOT_TEXT),
        ("a.gguf", b"GGUF\x03\0\0\0", Problem.MODEL),
        ("a.pdf", b"%PDF-1.7\n\xe2\xe3\xcf\xd3\n", Problem.DAMAGED_PDF),
    ],
)
def test_what_cannot_be_attached_is_refused_with_the_reason(
    tmp_path: Path, name: str, data: bytes, expected: Problem
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert problem(path) is expected


def test_text_may_begin_as_pictures_do(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("BMW builds cars")
    assert read(path).text == "BMW builds cars"


def test_a_file_as_large_as_allowed_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"x" * MOST_BYTES)
    assert len(read(path).text) == MOST_BYTES


def test_folders_missing_files_and_pipes_are_refused(tmp_path: Path) -> None:
    assert problem(tmp_path) is Problem.FOLDER
    assert problem(tmp_path / "gone.txt") is Problem.GONE
    if sys.platform != "win32":
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        assert problem(pipe) is Problem.NOT_A_FILE


def test_a_pdf_is_read_page_by_page(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", ["Été (first)\nsecond line", "", "third"])
    pages = []
    found = read_file(path, lambda page, n_pages: pages.append((page, n_pages)))
    assert found == Attachment(
        name="a.pdf",
        text="--- page 1 ---\nÉté (first)\nsecond line\n\n--- page 3 ---\nthird",
        kind=AttachmentKind.PDF,
        size_bytes=path.stat().st_size,
        encoding="",
        n_pages=3,
        n_pages_without_text=1,
    )
    assert pages == [(1, 3), (2, 3), (3, 3)]


def test_a_pdf_is_known_by_what_is_in_it_whatever_its_name(tmp_path: Path) -> None:
    assert read(write_pdf(tmp_path / "report", ["x"])).kind is AttachmentKind.PDF
    text = tmp_path / "notes.pdf"
    text.write_text("just text")
    assert read(text).kind is AttachmentKind.TEXT


def test_a_pdf_without_text_is_a_scan(tmp_path: Path) -> None:
    assert problem(write_pdf(tmp_path / "scan.pdf", ["", ""])) is Problem.NO_TEXT_IN_PDF


def test_a_password_is_asked_for_elsewhere_but_none_is_needed_to_read(tmp_path: Path) -> None:
    assert problem(write_pdf(tmp_path / "a.pdf", ["x"], password="secret")) is Problem.PASSWORD
    locked = write_pdf(tmp_path / "b.pdf", ["only not to be printed"], password="")
    assert "only not to be printed" in read(locked).text


def test_a_pdf_with_more_text_than_fits_is_refused(tmp_path: Path) -> None:
    page = "\n".join(["word " * 40] * 60)
    path = write_pdf(tmp_path / "a.pdf", [page] * (MOST_BYTES // len(page) + 2))
    assert problem(path) is Problem.TOO_MUCH_TEXT


def test_a_page_that_cannot_be_read_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", ["broken", "good"])
    path.write_bytes(path.read_bytes().replace(b"/FlateDecode", b"/FlateDecodX", 1))
    found = read(path)
    assert "good" in found.text
    assert found.n_pages_without_text == 1


@pytest.mark.parametrize(
    "objects",
    [
        pytest.param((CATALOG, b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"), id="its own parent"),
        pytest.param(
            (CATALOG, *(b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % n for n in range(3, 3000))),
            id="deep",
        ),
        pytest.param((b"<< /Type /Catalog >>",), id="no pages"),
    ],
)
def test_a_pdf_that_is_not_as_it_should_be_is_called_damaged(
    tmp_path: Path, objects: tuple[bytes, ...]
) -> None:
    assert problem(write_objects(tmp_path / "a.pdf", *objects)) is Problem.DAMAGED_PDF


def test_half_a_pdf_is_damaged(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", ["x"])
    path.write_bytes(path.read_bytes()[:300])
    assert problem(path) is Problem.DAMAGED_PDF


def test_a_bomb_gives_nothing(tmp_path: Path) -> None:
    path = write_bomb(tmp_path / "bomb.pdf")
    assert path.stat().st_size < 2 << 20
    assert problem(path) in (Problem.NO_TEXT_IN_PDF, Problem.DAMAGED_PDF)


def test_deeply_nested_content_does_not_crash(tmp_path: Path) -> None:
    content = b"[" * 200_000 + b"BT (x) Tj ET"
    path = write_objects(tmp_path / "a.pdf", CATALOG, PAGES, PAGE, stream(b"", content))
    assert problem(path) in (Problem.NO_TEXT_IN_PDF, Problem.DAMAGED_PDF)
