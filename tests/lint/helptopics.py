#!/usr/bin/env python3
"""Each page, pane and dialog of the window has a help topic, and each topic is a subsection of the man page."""
import re

import house

TABLE = "views/help/helpkey.cpp"
MANUAL = "packaging/redrive.1"
CLASS = re.compile(r"^class (\w+)(?: final)? : public (?:QDialog|Page|ListDialog)$", re.M)
PANE = re.compile(r"^class (\w+Pane)(?: final)? : public QWidget$", re.M)
ENTRY = re.compile(r'\{"views::(\w+)", "([^"]+)"\}')
ABSTRACT = {"ListDialog", "Page"}


def windows(root):
    """Where each class of a page, pane or dialog is."""
    found = {}
    for file, path in house.sources(root, ["views"], {".h"}):
        text = house.blank(house.read(file))
        for name in CLASS.findall(text) + PANE.findall(text):
            if name not in ABSTRACT:
                found[name] = path
    return found


def check(root):
    table = root / TABLE
    entries = dict(ENTRY.findall(house.read(table))) if table.is_file() else {}
    manual = root / MANUAL
    console = house.read(manual).split(".SH THE CONSOLE", 1)[-1].split("\n.SH ", 1)[0] if manual.is_file() else ""
    topics = set(re.findall(r'^\.\\" help: (\S+)$', console, re.M))
    there = windows(root)
    for name, path in sorted(there.items()):
        if name not in entries:
            yield path, 1, "%s has no help topic in %s" % (name, TABLE)
    for name, topic in sorted(entries.items()):
        if name not in there:
            yield TABLE, 1, "there is no class %s" % name
        if topic not in topics:
            yield TABLE, 1, "the man page has no topic '%s'" % topic


PLANTED = [
    ("views/a/a.h", "class Strange final : public QDialog\n{\n};\n"),
    ("views/a/a.h", "class Odd final : public Page\n{\n};\n"),
    ("views/a/a.h", "class OddPane final : public QWidget\n{\n};\n"),
    (TABLE, '{"views::Gone", "nowhere"},\n'),
]
CLEAN = [
    ("views/a/a.h", "class Page : public QWidget\n{\n};\nclass Strip final : public QWidget\n{\n};\n"),
]

if __name__ == "__main__":
    house.main(check, PLANTED, CLEAN)
