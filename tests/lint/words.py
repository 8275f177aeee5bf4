#!/usr/bin/env python3
"""Nothing in the repository speaks of work that was not finished."""
import re

import house

FOLDERS = ["app", "backend", "models", "views", "resources", "tests", "packaging"]
SUFFIXES = {".cpp", ".h", ".py", ".sh", ".cmake", ".md", ".txt", ".sql"}
# Put together from parts, so that this file does not find itself.
UNFINISHED = re.compile(
    r"\b(" + "TO" + "DO|FIX" + "ME|XX" + "X|HA" + r"CK)\b"
    r"|\b[Nn]ot (yet )?implem" + r"ented\b|\b[Ss]tub(bed|s)?\b|\b[Pp]lace" + r"holder(?!Text)|\bfor no" + r"w\b|\blorem ip" + "sum"
)
OLD_CODE = re.compile(r"^\s*//\s*(if|for|while|return|auto|const|[A-Za-z_:]+\s*\()[^.]*[;{]\s*$")


def check(root):
    listed = list(house.sources(root, FOLDERS, SUFFIXES))
    listed += [(path, path.name) for path in sorted(root.glob("*.md"))]
    for file, path in listed:
        if path.startswith("tests/lint/"):
            continue
        for number, line in enumerate(house.read(file).split("\n"), 1):
            if UNFINISHED.search(line):
                yield path, number, "speaks of unfinished work: %s" % line.strip()[:80]
            if file.suffix in house.CODE and OLD_CODE.match(line):
                yield path, number, "code in a comment: %s" % line.strip()[:80]


PLANTED = [
    ("backend/a.cpp", "// TO" + "DO later\n"),
    ("backend/a.cpp", "int a; // FIX" + "ME\n"),
    ("views/a.h", "// not yet implem" + "ented\n"),
    ("tests/a.cpp", "// a st" + "ub\n"),
    ("packaging/a.sh", "# HA" + "CK\n"),
    ("README.md", "This is a place" + "holder.\n"),
    ("backend/a.cpp", "    // return old(value);\n"),
    ("backend/a.cpp", "    // if (x) {\n"),
]
CLEAN = [
    ("views/a.cpp", 'void f() { edit->setPlace' + 'holderText(tr("Search")); }\n'),
    ("backend/a.cpp", "// return to the queue; nothing is lost.\nint stubborn;\n"),
]

if __name__ == "__main__":
    house.main(check, PLANTED, CLEAN)
