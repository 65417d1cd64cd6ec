"""Write, or with --check compare, the hash of the viewer's sources beside the bundle that was built from them."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

HERE = Path(__file__).parent
STAMP = HERE.parent / "src" / "gudgeon" / "view" / "bundle" / "SOURCES"


def sources() -> str:
    """SHA-256 over names and contents of everything that the bundle is made of."""
    found = hashlib.sha256()
    files = [
        *(HERE / "src").glob("*"),
        *(HERE / "public").glob("*"),
        HERE / "package-lock.json",
        HERE / "vite.config.js",
    ]
    for path in sorted(files):
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


if __name__ == "__main__":
    if "--check" not in sys.argv:
        STAMP.write_text(sources() + "\n", encoding="utf-8")
    elif STAMP.read_text(encoding="utf-8").strip() != sources():
        sys.exit("the bundle is older than viewer/src: run `make viewer` and commit it")
