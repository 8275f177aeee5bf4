#!/usr/bin/env python3
"""A path that a document or a comment names exists, so whoever follows it finds something."""
import re

import house

FOLDERS = ["app", "backend", "models", "views", "resources", "tests", "packaging"]
SUFFIXES = {".cpp", ".h", ".py", ".sh", ".cmake", ".md", ".txt"}
NAMED = re.compile(
    r"(?<![\w/.}<>-])(?:app|backend|models|views|resources|tests|packaging)/(?:[\w.-]+/)*"
    r"(?:[\w-]+\.(?:cpp|h|md|py|sh|cmake|cjs|ts|1)\b|(?=[`\s,.;:)]))")
BESIDE = re.compile(r"`((?:[\w-]+/)*[a-z][\w-]*\.(?:cpp|h|md|cmake|sh|py))`")


def names(file, path):
    """The positions and paths that a file names, from the root of the tree."""
    text = house.read(file)
    for match in NAMED.finditer(text):
        yield match.start(), match.group(0)
    if path.endswith("README.md") and "/" in path:  # names what is beside or below it
        for match in BESIDE.finditer(text):
            yield match.start(1), match.group(1)


def check(root):
    listed = list(house.sources(root, FOLDERS, SUFFIXES))
    listed += [(path, path.name) for path in sorted(root.glob("*.md"))]
    known = {path.name for path in root.rglob("*") if path.is_file() and "/build/" not in path.as_posix()}
    for file, path in listed:
        if path.startswith(("tests/lint/", "tests/fuzz/corpus/")):
            continue
        text = house.read(file)
        for position, name in names(file, path):
            if not name.startswith(tuple(one + "/" for one in FOLDERS)):
                found = any(base.joinpath(name).exists() for base in [file.parent, *file.parents]) or (
                    "/" not in name and name in known)
            else:
                found = (root / name).exists()
            if not found:
                yield path, house.line_of(text, position), "there is no %s" % name


PLANTED = [
    ("backend/a.h", "// see backend/gone.h\n"),
    ("ARCHITECTURE.md", "The rules are in `backend/gone/`.\n"),
    ("backend/README.md", "`gone.h` has the rules.\n"),
    ("app/a.cpp", '#include "app/gone.h"\n'),
]
CLEAN = [
    ("backend/a.h", "// see backend/a.h, and https://example.org/tests/gone.h\n"),
    ("backend/README.md", "`README.md` is here.\n"),
]

if __name__ == "__main__":
    house.main(check, PLANTED, CLEAN)
