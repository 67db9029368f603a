"""Identifiers that follow from a name, so that an import makes the same each time."""

import hashlib
from uuid import NAMESPACE_URL


def id_of(name: str) -> str:
    """The UUID of version 5 of a name, as hexadecimal digits.

    `uuid.uuid5` does the same, and takes five times as long.
    """
    digest = bytearray(hashlib.sha1(NAMESPACE_URL.bytes + name.encode()).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    return digest.hex()
