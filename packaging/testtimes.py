#!/usr/bin/env python3
"""What the tests of one run took, from the file that `ctest --output-junit` wrote.

testtimes.py FILE             the ten slowest
testtimes.py --skipped FILE   the tests that skipped themselves, and why
testtimes.py --failed FILE    the tests that failed, and the lines that say where
testtimes.py --table FILE     the table of tests/README.md: the time of each folder, and every test of 5 s or more with what it proves"""
import itertools
import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
SLOW = 5  # seconds, from which a test has a row of its own
FAULTS = re.compile(r"^(FAIL!|XPASS|QFATAL|SUMMARY:|.*runtime error:|==\d+==ERROR:)")
LINES = 30  # said of one test that failed


def cases(file):
    return xml.etree.ElementTree.parse(file).getroot().iter("testcase")


def times(file):
    """(name, seconds) of what ran, the slowest first."""
    ran = [(case.get("name"), float(case.get("time"))) for case in cases(file) if case.get("status") != "notrun"]
    return sorted(ran, key=lambda one: -one[1])


def sources():
    """Where the source of each test lies."""
    return {path.stem: path for path in (ROOT / "tests").rglob("*.cpp")}


def source_of(name, known):
    """Several tests may run one program: tst_sqs_kill_of_5000, tst_peers_celery."""
    while name and name not in known:
        name = name.rpartition("_")[0]
    return known.get(name)


def folder_of(name, known):
    path = source_of(name, known)
    if path is None:
        return name.split("_")[0]  # lint_..., fuzz_...
    return "/".join(path.relative_to(ROOT / "tests").parts[:-1][:2])


def proof_of(name, known):
    """What a test proves: the comment at the top of its source."""
    path = source_of(name, known)
    comment = []
    for line in path.read_text(encoding="utf-8").splitlines() if path else []:
        if not line.startswith("//"):
            break
        comment.append(line[2:].strip())
    return " ".join(comment).replace("|", "\\|")


def print_skipped(file):
    for case in cases(file):
        reason = re.search(r"^SKIP   : [\w:]+\(\) (.*)$", case.findtext("system-out") or "", re.MULTILINE)
        if case.get("status") == "notrun" and reason:
            print("Skipped: %s. %s." % (case.get("name"), reason.group(1)))


def faults_in(output):
    """The lines of a failed test that say what failed and where; the last ones where it says nothing of the kind (it was killed)."""
    lines = output.splitlines()
    said = []
    for index, line in enumerate(lines):
        if FAULTS.match(line):
            said.append(line)
            said += itertools.takewhile(lambda more: more.startswith("   "), lines[index + 1:index + 6])
    return said[:LINES] or lines[-LINES // 2:]


def print_failed(file):
    for case in cases(file):
        if case.get("status") == "fail":
            print("Failed: %s, after %.0f s" % (case.get("name"), float(case.get("time"))))
            for line in faults_in(case.findtext("system-out") or ""):
                print("    " + line[:400])


def print_table(ran):
    known = sources()
    folders = {}
    for name, seconds in ran:
        folder = folders.setdefault(folder_of(name, known), [0, 0.0])
        folder[0] += 1
        folder[1] += seconds
    print("| folder | tests | seconds |\n| --- | --- | --- |")
    for folder, (count, seconds) in sorted(folders.items(), key=lambda one: -one[1][1]):
        print("| %s | %d | %.0f |" % (folder, count, seconds))
    print("\n| test | seconds | what it proves |\n| --- | --- | --- |")
    for name, seconds in ran:
        if seconds >= SLOW:
            print("| `%s` | %.0f | %s |" % (name, seconds, proof_of(name, known)))


def main(arguments):
    if not arguments or len(arguments) > 2 or (len(arguments) == 2 and arguments[0] not in ("--skipped", "--failed", "--table")):
        sys.exit(__doc__)
    report = {"--skipped": print_skipped, "--failed": print_failed}.get(arguments[0])
    if report:
        report(arguments[-1])
        return
    ran = times(arguments[-1])
    if len(arguments) == 2:
        print_table(ran)
        return
    print("Of %.0f s in %d tests, the slowest:" % (sum(seconds for _, seconds in ran), len(ran)))
    for name, seconds in ran[:10]:
        print("%8.1f s  %s" % (seconds, name))


main(sys.argv[1:])
