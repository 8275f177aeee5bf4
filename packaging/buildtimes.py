#!/usr/bin/env python3
"""What a build spent: `buildtimes.py BUILD_FOLDER [SINCE]`, from the log that Ninja keeps.

Prints the seconds of each kind of step and the ten most expensive units. SINCE (seconds since 1970) leaves out what an earlier
build of this folder made."""
import pathlib
import sys

KINDS = [
    ("moc's output, apart", lambda name: name.endswith("mocs_compilation.cpp.o")),
    ("several sources in one", lambda name: "/Unity/" in name or "/unity/" in name),
    ("one source", lambda name: name.endswith(".o")),
    ("moc", lambda name: name.endswith((".moc", "_autogen/timestamp"))),
    ("precompiled headers", lambda name: ".gch" in name),
    ("libraries and programs", lambda name: True),
]


def steps(folder, since):
    """(seconds, output) of the last time that each output was made."""
    made = {}
    for line in (folder / ".ninja_log").read_text().splitlines():
        if line.startswith("#"):
            continue
        start, end, _, name, _ = line.split("\t")
        file = folder / name
        if file.exists() and file.stat().st_mtime >= since:
            made[name] = (int(end) - int(start)) / 1000
    return made


def main(arguments):
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    folder = pathlib.Path(arguments[0])
    made = steps(folder, float(arguments[1]) if len(arguments) > 1 else 0)
    kinds = {}
    for name, seconds in made.items():
        kind = next(kind for kind, fits in KINDS if fits(name))
        count, total = kinds.get(kind, (0, 0))
        kinds[kind] = (count + 1, total + seconds)
    for kind, (count, total) in sorted(kinds.items(), key=lambda one: -one[1][1]):
        print("%6.0f s  %4d  %s" % (total, count, kind))
    print("The ten most expensive units:")
    units = [(seconds, name) for name, seconds in made.items() if name.endswith(".o")]
    for seconds, name in sorted(units, reverse=True)[:10]:
        print("%6.1f s  %s" % (seconds, name.replace("CMakeFiles/", "")))


main(sys.argv[1:])
