#!/usr/bin/env python3
"""Every piece of SQL in the repositories, rules and queries is part of a statement that PostgreSQL has understood: a real one, in the tests
that run on it (they write what they had prepared; packaging/cmake/RedriveTests.cmake). So no statement waits for its user to find out
that only SQLite understands it, and a new one needs a test that runs on both databases."""
import pathlib
import re
import sys
import tempfile

import house

NO_POSTGRESQL = 77  # CTest: skipped
OF_ONE_DATABASE = re.compile(  # migrations, opening, locks, backup: of SQLite; postgresql/, shared/: of the other, which alone is asked
    r"^backend/store/(migrations|sqlite|backup|database/postgresql|shared)/|/(sqlitedatabase|sqlitesearch|searchfunction|sqlerror|sqldialect|filelocks|filesource|filetarget)\.\w+$")
NOT_POSTGRESQL = {
    "SELECT fts5(?1)",  # asks SQLite for its FTS5
    # The hits of FTS5 are checked, and what it has not reached is read; PostgreSQL's indexes are exact (TextSearch::isExact).
    "> (SELECT searched FROM store_meta)",
    "(SELECT %1 FROM message_content c WHERE c.message = m.id)",
    "(%1 OR m.id IN (%2) OR (m.id %3 AND %4))",
    "failed_message m     message_content c ON c.message = m.id",
    " UNION SELECT c.message FROM message_content c WHERE c.message %1 AND %2",
}
SQL = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|AND|OR|NOT|IN|JOIN|ORDER BY|GROUP BY|HAVING|LIMIT|CASE|WHEN|ELSE|END|EXISTS|UNION|VALUES|SET|NULL|"
    r"DESC|ASC|AS|ON CONFLICT|BETWEEN|LIKE)\b|[=<>] \?|^\(?\?|\w\.\w+ (=|<>|<|>|&) |\b(sum|count|min|max|coalesce)\(")
MACRO = re.compile(r"SQL_\w+(\s*\()?")
WRAPPER = re.compile(r"(?:\s|[()]|\bQStringLiteral\b|\bQLatin1String\b|\bQString\b)*\Z")
PLACE = re.compile(r"%\d+")
TRANSLATED = re.compile(r"(\btr|QT_TRANSLATE_NOOP|setObjectName)\s*\(\s*(\"\w+\",\s*)?\Z")


def pieces(text):
    """(position, list of what follows each other): one for each run of literals; what stands between two of them is a macro."""
    begin, run, end, depth = None, [], 0, 0
    for literal in house.TOKEN.finditer(text):
        if literal.lastgroup not in ("text", "raw"):
            continue
        body = literal.group(0)
        body = body.split("(", 1)[1].rpartition(")")[0] if literal.group("mark") is not None else body[1:-1]
        body = body.replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")
        between = text[end : literal.start()]
        joined = MACRO.sub("", between).replace(",", "")
        if begin is not None and not joined.strip(" \n()"):
            open_macro = "SQL_" in between or depth > 0
            depth += between.count("(") - between.count(")")
            if open_macro:
                run.append(body)
            else:
                run[-1] += body
        else:
            if begin is not None:
                yield begin, run
            before = MACRO.search(text, max(end, literal.start() - 60), literal.start())
            begin, run, depth = literal.start(), [body], 0
        end = literal.end()
    if begin is not None:
        yield begin, run


def parts_of(run):
    """What stands between macros and places, in order."""
    return [part.strip() for piece in run for part in PLACE.split(piece) if part.strip()]


def contains(statement, parts):
    at = 0
    for part in parts:
        at = statement.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def missing(root, understood):
    for file, path in house.sources(root, ["backend/store"]):
        if OF_ONE_DATABASE.search(path):
            continue
        text = house.blank(house.read(file), keep_strings=True)
        text = re.sub(r"^\s*#include[^\n]*", lambda line: " " * len(line.group(0)), text, flags=re.M)
        for position, run in pieces(text):
            words = " ".join(run)
            if not SQL.search(words) or TRANSLATED.search(text[max(0, position - 40) : position]) or words in NOT_POSTGRESQL:
                continue
            parts = parts_of(run)
            if not any(contains(one, parts) for one in understood):
                yield path, house.line_of(text, position), "no test has PostgreSQL prepare this: %s" % words[:160]


def self_test():
    understood = ["SELECT a FROM b WHERE c IN (SELECT value FROM json_each(?)) AND d = ? ORDER BY a"]
    planted = [
        'auto a = sql(QStringLiteral("SELECT x FROM b"));\n',
        'auto a = sql(QStringLiteral("SELECT a FROM b WHERE c IN " SQL_LIST_VALUES " AND e = ?"));\n',
        'auto a = QStringLiteral(" AND NOT d = ?");\n',
        'auto a = sql(QStringLiteral("SELECT %1 FROM c").arg(b));\n',
    ]
    clean = [
        'auto a = sql(QStringLiteral("SELECT a FROM b WHERE c IN " SQL_LIST_VALUES " AND d = ?"));\n',
        'auto a = sql(QStringLiteral("SELECT a"\n    " FROM %1 WHERE").arg(b));\n',
        'auto a = QStringLiteral(" AND d = ?");\n',
        'auto a = Text::tr("Read it AND weep");\n',
    ]
    failures = 0
    for number, text in enumerate(planted + clean):
        with tempfile.TemporaryDirectory() as folder:
            target = pathlib.Path(folder) / "backend/store/a.cpp"
            target.parent.mkdir(parents=True)
            target.write_text(text, encoding="utf-8")
            if bool(list(missing(pathlib.Path(folder), understood))) != (number < len(planted)):
                failures += 1
                print("%s: %s" % ("not caught" if number < len(planted) else "wrongly caught", text))
    print("%d planted violations, %d clean samples, %d failures" % (len(planted), len(clean), failures))
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    root, folder = (pathlib.Path(argument) for argument in sys.argv[1:3])
    understood = sorted({line for file in folder.glob("*.sql") for line in house.read(file).splitlines()})
    if not understood:
        print("PostgreSQL is not installed: nothing was prepared on it.")
        sys.exit(NO_POSTGRESQL)
    found = list(missing(root, understood))
    for path, line, words in found:
        print("%s:%d: %s" % (path, line, words))
    print("%d statements understood, %d findings" % (len(understood), len(found)))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
