#!/usr/bin/env python3
"""One source for several test classes, so that the compiler reads their headers once: `test_unity.py OUT tst_a.cpp tst_b.cpp ...`

Each test becomes a namespace of its own, so names that are local to it need not differ from those of its neighbours. What
they include comes first, outside of these namespaces; every header is read once (#pragma once), so that the lines inside do
nothing."""
import pathlib
import sys


def includes(source):
    for line in source.read_text(encoding="utf-8").splitlines():
        if line.startswith("#include") and not line.endswith('.moc"'):
            yield line


def unity(sources):
    lines = ["// Made by test_unity.py."]
    lines += dict.fromkeys(line for source in sources for line in includes(source))
    for source in sources:
        lines += ["namespace in_%s {" % source.stem, '#include "%s"' % source, "}"]
    return "\n".join(lines) + "\n"


def main(out, *sources):
    pathlib.Path(out).write_text(unity([pathlib.Path(source) for source in sources]), encoding="utf-8")


main(*sys.argv[1:])
