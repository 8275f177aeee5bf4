"""What every lint needs: the sources, their text without comments, and a main() with a self-test.

A lint is a function check(root) that yields (path, line, words), and a list of planted violations: (path, text) pairs, each
of which must be found, and a list of clean files, none of which may be."""
import argparse
import pathlib
import re
import sys
import tempfile

CODE = {".cpp", ".h"}


def sources(root, folders, suffixes=CODE):
    for folder in folders:
        base = root / folder
        if base.is_dir():
            for path in sorted(base.rglob("*")):
                if path.suffix in suffixes and path.is_file():
                    yield path, path.relative_to(root).as_posix()


TOKEN = re.compile(
    r'(?P<raw>R"(?P<mark>[^()\\ ]{0,16})\(.*?\)(?P=mark)")'
    r'|(?P<text>"(?:\\.|[^"\\\n])*")'
    r"|(?P<char>(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+')"
    r"|(?P<line>//[^\n]*)"
    r"|(?P<block>/\*.*?\*/)",
    re.S,
)


def blank(text, keep_strings=False):
    """Comments as blanks, line numbers kept; the insides of strings too, unless they are wanted."""

    def replace(match):
        whole = match.group(0)
        if match.lastgroup in ("line", "block"):
            return re.sub(r"[^\n]", " ", whole)
        if keep_strings:
            return whole
        return whole[0] + re.sub(r"[^\n]", " ", whole[1:-1]) + whole[-1]

    return TOKEN.sub(replace, text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def arguments(text, position):
    """The top-level arguments of the call whose parenthesis has just been opened."""
    depth = 0
    parts = [""]
    for character in text[position:]:
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth < 0:
                return parts
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def self_test(check, planted, clean):
    failures = []
    for number, (path, text) in enumerate(planted + clean):
        with tempfile.TemporaryDirectory() as folder:
            target = pathlib.Path(folder) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            found = list(check(pathlib.Path(folder)))
        wanted = number < len(planted)
        if bool(found) != wanted:
            failures.append("%s in %s:\n%s\n%s" % ("not caught" if wanted else "wrongly caught", path, text[:400], found))
    for failure in failures:
        print(failure)
    print("%d planted violations, %d clean samples, %d failures" % (len(planted), len(clean), len(failures)))
    return 1 if failures or not planted else 0


def main(check, planted, clean):
    parser = argparse.ArgumentParser()
    parser.add_argument("root", nargs="?", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    given = parser.parse_args()
    if given.self_test:
        sys.exit(self_test(check, planted, clean))
    found = list(check(given.root))
    for path, line, words in found:
        print("%s:%d: %s" % (path, line, words))
    print("%d findings" % len(found))
    sys.exit(1 if found else 0)
