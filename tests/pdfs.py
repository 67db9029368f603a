"""PDFs for tests: real ones, and ones that are not as they should be."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"


def write_pdf(
    path: Path, pages: Sequence[str], *, password: str | None = None, cipher: str = "RC4-128"
) -> Path:
    """A PDF with a page for each text; a page without text is blank, as a scan is to a reader."""
    writer = PdfWriter()
    font = writer._add_object(
        DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject("/Helvetica"),
                NameObject("/Encoding"): NameObject("/WinAnsiEncoding"),
            }
        )
    )
    fonts = DictionaryObject({NameObject("/F1"): font})
    for text in pages:
        page = writer.add_blank_page(595, 842)
        if text:
            stream = DecodedStreamObject()
            stream.set_data(_drawing(text))
            page[NameObject("/Contents")] = writer._add_object(stream.flate_encode())
            page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    if password is not None:
        writer.encrypt(password, owner_password="owner", algorithm=cipher)
    writer.write(path)
    return path


def write_objects(path: Path, *objects: bytes) -> Path:
    """A PDF of these objects, numbered from 1; the first is the catalogue."""
    data = b"%PDF-1.7\n"
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (size, len(data))
    path.write_bytes(data + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + end)
    return path


def stream(head: bytes, content: bytes) -> bytes:
    """A stream object."""
    return b"<< %b /Length %d >>\nstream\n%b\nendstream" % (head, len(content), content)


def write_bomb(path: Path) -> Path:
    """A page whose content unpacks to a gigabyte."""
    packer = zlib.compressobj(9)
    block = b"\0" * (1 << 20)
    packed = b"".join([*(packer.compress(block) for _ in range(1 << 10)), packer.flush()])
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>"
    return write_objects(path, CATALOG, PAGES, page, stream(b"/Filter /FlateDecode", packed))


def write_slow(path: Path, *, n_pages: int = 400) -> Path:
    """Pages of drawings that draw each other, twice each: every one takes long to read."""
    depth = 40
    first = n_pages + 3
    kids = b" ".join(b"%d 0 R" % number for number in range(3, first))
    pages = b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, n_pages)
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents %d 0 R "
        b"/Resources << /XObject << /X %d 0 R >> >> >>" % (first, first + 1)
    )
    head = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]"
    forms = [
        stream(
            head + b" /Resources << /XObject << /X %d 0 R >> >>" % (first + 2 + level),
            b"/X Do /X Do",
        )
        for level in range(depth)
    ]
    return write_objects(
        path,
        CATALOG,
        pages,
        *[page] * n_pages,
        stream(b"", b"/X Do /X Do"),
        *forms,
        stream(head, b"BT (x) Tj ET"),
    )


def _drawing(text: str) -> bytes:
    lines = text.encode("cp1252").replace(b"\\", b"\\\\")
    lines = lines.replace(b"(", b"\\(").replace(b")", b"\\)")
    shown = b" ".join(b"(%b) Tj T*" % line for line in lines.split(b"\n"))
    return b"BT /F1 12 Tf 72 770 Td 14 TL %b ET" % shown
