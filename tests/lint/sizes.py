#!/usr/bin/env python3
"""What a newcomer can read at one sitting: 700 lines of .cpp, 300 of .h, 70 of a function, 25 files of a folder."""
import collections
import re

import house

MOST_LINES = {".cpp": 700, ".h": 300}
MOST_FUNCTION = 70
MOST_FILES = 25
# A brace opens a function when what stands before it, back to the last end of a statement, looks like a parameter list.
CONTROL = re.compile(r"^\s*(if|for|while|switch|catch|do|else|return|namespace|class|struct|union|enum|extern)\b")


def functions(text):
    """(first line, length) of each outermost brace block that follows a parameter list, outside any other function."""
    depth = 0
    start = 0  # where the statement before the brace begins
    inside = None  # (depth, first line) of the function that is open
    for position, character in enumerate(text):
        if character == "{":
            head = text[start:position]
            callable_head = ")" in head and not CONTROL.match(head.lstrip("\n "))
            if inside is None and callable_head:
                first = start + len(head) - len(head.lstrip())
                inside = (depth, house.line_of(text, first), first)
            depth += 1
            if inside is None:
                start = position + 1
        elif character == "}":
            depth -= 1
            if inside is not None and depth == inside[0]:
                yield inside[1], text.count("\n", inside[2], position) + 1
                inside = None
            if inside is None:
                start = position + 1
        elif character == ";" and inside is None:
            start = position + 1


def check(root):
    folders = collections.Counter()
    for file, path in house.sources(root, ["app", "backend", "models", "views", "tests"]):
        whole = house.read(file)
        folders[path.rpartition("/")[0]] += 1
        count = whole.count("\n")
        if count > MOST_LINES[file.suffix]:
            yield path, count, "%d lines; the stop is %d: split it by noun" % (count, MOST_LINES[file.suffix])
        # Preprocessor lines may open a brace in each branch: they are not looked at.
        text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", "", house.blank(whole), flags=re.M)
        for first, length in functions(text):
            if length > MOST_FUNCTION:
                yield path, first, "a function of %d lines; the stop is %d" % (length, MOST_FUNCTION)
    for folder, count in folders.items():
        if count > MOST_FILES:
            yield folder, 1, "%d files; the stop is %d: a folder for what belongs together" % (count, MOST_FILES)


LONG_BODY = "    work();\n" * 75
PLANTED = [
    ("backend/core/a.cpp", "int a;\n" * 701),
    ("backend/core/a.h", "int a;\n" * 301),
    ("models/a.cpp", "void a()\n{\n" + LONG_BODY + "}\n"),
    ("models/a.cpp", "namespace n {\n\nA::A(int b)\n    : m_b(b)\n{\n" + LONG_BODY + "}\n\n} // namespace n\n"),
    ("models/a.h", "class A\n{\n    void a() const override\n    {\n" + LONG_BODY + "    }\n};\n"),
    ("models/a.cpp", "void a()\n{\n    if (x) {\n        y();\n    }\n" + LONG_BODY + "}\n"),
]
CLEAN = [
    ("models/a.cpp", "void a()\n{\n" + "    work();\n" * 60 + "}\n\nvoid b()\n{\n" + "    work();\n" * 60 + "}\n"),
    ("models/a.cpp", "namespace n {\n" + "int a;\n" * 90 + "}\n"),
    ("models/a.h", "class A\n{\n" + "    int m_a = f(1);\n" * 90 + "};\n"),
    ("models/a.cpp", 'const char *brace = "{ ( {";\n' + "int a; // {\n" * 80),
]

if __name__ == "__main__":
    house.main(check, PLANTED, CLEAN)
